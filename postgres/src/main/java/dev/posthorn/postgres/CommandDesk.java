package dev.posthorn.postgres;

import dev.posthorn.commands.Answer;
import dev.posthorn.commands.Command;
import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.Renewal;
import dev.posthorn.commands.Takeover;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.relay.Loop;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Runs commands in this process, and looks after their workflow runs while it is open: renews the leases of those that are in
 * work here, and goes on with those whose owner is dead, of this process or of another with the same handlers.
 *
 * <p>A run that is taken over and fails is gone on with again by the policy, and is a dead letter in the end. They are gone on
 * with one by one. Thread-safe.
 */
public final class CommandDesk implements AutoCloseable {

    private static final int RENEWALS_OF_A_LEASE = 3;

    private final CommandRunner<Connection> runner;
    private final Loop renewal;
    private final Loop takeover;

    private CommandDesk(
            CommandRunner<Connection> runner, Takeover<Connection> takeover, String name, BooleanSupplier rests) {
        this.runner = runner;
        Renewal renewals = new Renewal(runner);
        Duration often = runner.lease().dividedBy(RENEWALS_OF_A_LEASE);
        this.renewal = new Loop("posthorn-run-lease-" + name, () -> {
            int unused = renewals.runOnce();
            return often;
        });
        this.takeover = new Loop(
                "posthorn-take-over-" + name,
                () -> !rests.getAsBoolean() && takeover.next() ? Duration.ZERO : runner.lookEvery());
    }

    /**
     * Opens a desk for the commands of a runner, whose runs are in this database.
     *
     * @param consumer whose dead letters those are that can not be gone on with: a consumer of this name runs them when they
     *     are redriven
     * @param retries when a run that was taken over and failed is gone on with again, and how often
     */
    public static CommandDesk open(
            CommandRunner<Connection> runner,
            String consumer,
            RetryPolicy retries,
            DataSource database,
            Schema schema) {
        DeadLetterTarget letters = new PostgresDeadLetters(database, schema);
        return open(runner, new Takeover<>(runner, consumer, letters, retries), consumer, () -> false);
    }

    /** The same; while it rests nothing is taken over. */
    static CommandDesk open(
            CommandRunner<Connection> runner, Takeover<Connection> takeover, String name, BooleanSupplier rests) {
        CommandDesk desk = new CommandDesk(runner, takeover, name, rests);
        desk.renewal.start();
        desk.takeover.start();
        return desk;
    }

    /** The same as {@link CommandRunner#call}. */
    public Answer call(Command command) {
        return runner.call(command);
    }

    /** The same as {@link CommandRunner#look}. */
    public Optional<Answer> look(Command command) {
        return runner.look(command);
    }

    /**
     * Takes over no more, and waits up to half a minute for the run that it goes on with. Calls of other threads that are under
     * way then are not renewed any more.
     */
    @Override
    public void close() {
        takeover.close();
        renewal.close();
    }
}
