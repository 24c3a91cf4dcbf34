package dev.posthorn.commands;

/**
 * Runs a command.
 *
 * @param <T> what its steps work in
 */
@FunctionalInterface
public interface CommandHandler<T> {

    /**
     * Runs it step by step, and returns its result; null counts as an empty text. After a failure or a crash it is called again, with the same command; steps
     * that were done answer what they answered before. Whatever it does outside its steps may happen again.
     *
     * <p>Throws {@link CommandRejectedException} if trying again is of no use.
     */
    String handle(Command command, Workflow<T> workflow) throws Exception;

    /** What a command with a single step does. */
    @FunctionalInterface
    interface Single<T> {
        String run(Command command, T transaction) throws Exception;
    }

    /** A command with a single step, all in one transaction. */
    static <T> CommandHandler<T> single(Single<T> work) {
        return (command, workflow) -> workflow.step("main", transaction -> work.run(command, transaction));
    }
}
