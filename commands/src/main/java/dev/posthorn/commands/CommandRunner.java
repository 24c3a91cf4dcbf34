package dev.posthorn.commands;

import dev.posthorn.commands.CommandHandlers.Named;
import dev.posthorn.commands.CommandStore.Claim;
import dev.posthorn.commands.CommandStore.Lapsed;
import dev.posthorn.commands.CommandStore.Lease;
import dev.posthorn.event.Event;
import dev.posthorn.event.Failure;
import dev.posthorn.event.PosthornException;
import dev.posthorn.event.UnstorableTextException;
import dev.posthorn.transport.NotYetException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each command once, however often and wherever it comes: claim → steps → result kept.
 *
 * <p>The first one runs it. Whoever comes while it runs is answered its run and state, and whoever comes later its result. One
 * that failed is run again, as the next attempt, by whoever brings it again; so is one whose owner is dead. Thread-safe.
 *
 * @param <T> what steps work in
 */
public final class CommandRunner<T> {

    private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    private static final Duration STEP_TIME = Duration.ofMinutes(15);

    private final CommandHandlers<T> handlers;
    private final CommandStore commands;
    private final WorkflowStore<T> workflows;
    private final Lease lease;
    private final Care care;
    private final Set<RunInWork> inWork = ConcurrentHashMap.newKeySet();

    /** How runs are looked after. */
    private record Care(Duration lookEvery, Duration stepTime) {}

    /**
     * A runner in this process.
     *
     * @param lease after what time without a sign of life others take the owner for dead and the run over. A step is one when
     *     it begins and ends, and so is a {@link Renewal}: without that it is how long a step may take. Too short: slow steps
     *     are undone and done again. Too long: what a dead process had begun waits for long
     */
    public CommandRunner(
            CommandHandlers<T> handlers, CommandStore commands, WorkflowStore<T> workflows, Duration lease) {
        this(handlers, commands, workflows, lease, new Care(LOOK_EVERY, STEP_TIME));
    }

    private CommandRunner(
            CommandHandlers<T> handlers, CommandStore commands, WorkflowStore<T> workflows, Duration lease, Care care) {
        if (lease.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "The lease of workflow runs is " + lease + "; it must be at least 1 ms.");
        }
        this.handlers = handlers;
        this.commands = commands;
        this.workflows = workflows;
        this.lease = new Lease(Owner.NAME, lease);
        this.care = care;
    }

    /**
     * A runner like this, for whoever looks after its runs.
     *
     * @param every how often to look for runs whose owner is dead (5 s). Too short: the database is asked in vain. Too long:
     *     they wait for that, after their lease
     */
    public CommandRunner<T> lookEvery(Duration every) {
        if (every.toMillis() < 10) {
            throw new IllegalArgumentException(
                    "Dead owners' runs are looked for every " + every + "; it must be at least 10 ms.");
        }
        return new CommandRunner<>(handlers, commands, workflows, lease.time(), new Care(every, care.stepTime()));
    }

    /**
     * A runner like this, with another limit for steps that hang.
     *
     * @param longest how long a step may take while its lease is {@linkplain Renewal renewed} (15 min). After that it is
     *     interrupted and logged as failed, and the run has failed; if it does not end, its lease runs out and the run is taken
     *     over. Too short: long steps never succeed. Too long: a step that hangs holds its run for long
     */
    public CommandRunner<T> stepTime(Duration longest) {
        if (longest.toMillis() < 1) {
            throw new IllegalArgumentException("The step time is " + longest + "; it must be at least 1 ms.");
        }
        return new CommandRunner<>(handlers, commands, workflows, lease.time(), new Care(care.lookEvery(), longest));
    }

    public CommandHandlers<T> handlers() {
        return handlers;
    }

    /** After what time without a sign of life a run is taken over. */
    public Duration lease() {
        return lease.time();
    }

    /** How often whoever looks after its runs looks for those whose owner is dead. */
    public Duration lookEvery() {
        return care.lookEvery();
    }

    /** How long a step may take while its lease is renewed. */
    public Duration stepTime() {
        return care.stepTime();
    }

    /**
     * Runs a command here and now, or answers what became of it. Whatever its handler throws is the answer {@link
     * Answer.Failed}; a command that failed before is run again.
     *
     * <p>Throws {@link PosthornException} if no handler knows its type, and {@link CommandStoreException} if it is not known
     * what became of it; then ask again.
     */
    public Answer call(Command command) {
        Named<T> handler = handlerOf(command);
        Claim claim = commands.claim(command, handler.name(), lease);
        if (!(claim instanceof Claim.Ours ours)) {
            return ((Claim.Theirs) claim).answer();
        }
        try {
            return run(command, handler.handler(), ours.attempt());
        } catch (CommandStoreException away) {
            throw away;
        } catch (RunLostException lost) {
            LOG.warn("{}: {}", command, lost.getMessage());
            return commands.look(command, handler.name()).orElseGet(() -> failed(ours.attempt(), lost));
        } catch (Exception failed) {
            if (failed instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return failed(ours.attempt(), failed);
        }
    }

    private static Answer failed(Attempt attempt, Exception why) {
        return new Answer.Failed(attempt.run(), attempt.number(), Outcome.reasonOf(why));
    }

    /** What became of a command; empty if it never came here. Runs nothing. */
    public Optional<Answer> look(Command command) {
        return commands.look(command, handlerOf(command).name());
    }

    private Named<T> handlerOf(Command command) {
        return handlers.of(command)
                .orElseThrow(() -> new PosthornException(
                        "No handler runs " + command + ". Add one for its type, or send it elsewhere."));
    }

    /**
     * Runs the command that travels as this event: a handler of a consumer. Throws what its handler threw, so that the
     * consumer tries again by its policy, {@link SequenceMismatchException} if the command expects its aggregate at another
     * sequence, and {@link NotYetException} while another one is running it.
     *
     * @param transaction is not used: each step has its own
     */
    public Verdict handle(Event event, Object transaction) throws Exception {
        Command command;
        try {
            command = Command.of(event);
        } catch (IllegalArgumentException invalid) {
            return Verdict.reject(String.valueOf(invalid.getMessage()));
        }
        try {
            return verdict(answer(command));
        } catch (CommandRejectedException | UnstorableTextException never) {
            return Verdict.reject(String.valueOf(never.getMessage()));
        } catch (RunLostException lost) {
            throw new NotYetException(Outcome.reasonOf(lost), SOON);
        }
    }

    /** The same as {@link #call}, but throws what the handler threw. */
    Answer answer(Command command) throws Exception {
        Named<T> handler = handlerOf(command);
        Claim claim = commands.claim(command, handler.name(), lease);
        return claim instanceof Claim.Ours ours
                ? run(command, handler.handler(), ours.attempt())
                : ((Claim.Theirs) claim).answer();
    }

    private static Verdict verdict(Answer answer) {
        return answer.reduce(new Answer.Cases<Verdict>() {
            @Override
            public Verdict done(UUID run, String result) {
                return Verdict.done();
            }

            @Override
            public Verdict running(UUID run, int attempt, Duration left) {
                throw new NotYetException("Another one has run " + run + " in work, as attempt " + attempt, left);
            }

            @Override
            public Verdict failed(UUID run, int attempt, String error) {
                return Verdict.retry(SOON, error);
            }

            @Override
            public Verdict conflict(UUID run, String reason) {
                return Verdict.reject(reason);
            }
        });
    }

    /** Takes over one run whose owner is dead; empty if there is none. */
    Optional<Lapsed> takeOver() {
        return commands.claimLapsed(handlers.names(), lease);
    }

    /** Goes on with a run that was taken over; throws what its handler threw, and the run is this process's still. */
    Answer goOn(Command command, Attempt attempt) throws Exception {
        return work(command, handlerOf(command).handler(), attempt);
    }

    /** Leaves a run to whoever looks for lapsed ones after this time. */
    void postpone(Attempt attempt, Duration time) {
        workflows.renew(new Attempt(attempt.run(), attempt.number(), time));
    }

    /** Those that are being worked on here, and renewed. */
    Set<RunInWork> inWork() {
        return inWork;
    }

    /** Ends a step that has taken too long: renews it no more, logs that it failed and interrupts it. */
    void giveUp(RunInWork overdue, String reason) {
        inWork.remove(overdue);
        LOG.warn("Run {} fails: {}", overdue.attempt().run(), reason);
        try {
            workflows.stepFailed(overdue.attempt(), overdue.step(), reason);
        } catch (RunLostException | CommandStoreException away) {
            LOG.debug(
                    "That step {} of run {} hangs could not be logged",
                    overdue.step(),
                    overdue.attempt().run(),
                    away);
        }
        overdue.interrupt();
    }

    void renew(Attempt attempt) {
        workflows.renew(attempt);
    }

    /** Runs an attempt that is this process's. */
    private Answer run(Command command, CommandHandler<T> handler, Attempt attempt) throws Exception {
        try {
            return work(command, handler, attempt);
        } catch (RunLostException | CommandStoreException gone) {
            throw gone;
        } catch (Exception failed) {
            keepFailure(attempt, failed);
            throw failed;
        }
    }

    private Answer work(Command command, CommandHandler<T> handler, Attempt attempt) throws Exception {
        RunInWork mine = new RunInWork(attempt);
        inWork.add(mine);
        try {
            String result = Workflow.orEmpty(handler.handle(command, new Workflow<>(mine, workflows)));
            workflows.done(attempt, result);
            return new Answer.Done(attempt.run(), result);
        } catch (RunLostException | CommandStoreException gone) {
            throw gone;
        } catch (Exception failed) {
            throw mine.overdue()
                    .<Exception>map(reason -> new PosthornException(reason, failed))
                    .orElse(failed);
        } catch (Error broken) { // a failure of this command like any other, which must be written down
            throw new PosthornException("the handler threw " + Failure.reasonOf(broken), broken);
        } finally {
            inWork.remove(mine);
            mine.end();
        }
    }

    /** If that can not be done the run looks as if its owner were dead, and is taken over when the lease has run out. */
    void keepFailure(Attempt attempt, Exception failed) {
        try {
            Uninterrupted.run(() -> workflows.failed(attempt, Outcome.reasonOf(failed)));
        } catch (RunLostException | CommandStoreException away) {
            LOG.warn("That run {} failed could not be written down: {}", attempt.run(), away.getMessage());
            failed.addSuppressed(away);
        }
    }
}
