package dev.posthorn.postgres;

import dev.posthorn.commands.CommandRunner;
import dev.posthorn.commands.SequenceMismatchException;
import dev.posthorn.commands.Takeover;
import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.deadletter.Source;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.ConsumerConfig.GiveUp;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The inbox of consumers that run commands: whether one comes for the first time is known from its workflow run, so that no
 * transaction is open while its steps are done.
 *
 * <p>Only a command that was given up has a mark here, and does not come to its handler again but by a redrive. Thread-safe.
 */
public final class PostgresCommandInbox implements Inbox<CommandDelivery> {

    /** How long a run waits that is never given up. */
    private static final Duration SELDOM = Duration.ofMinutes(1);

    private final DataSource database;
    private final PostgresInbox marks;
    private final String notGivenUp;

    private PostgresCommandInbox(DataSource database, Schema schema) {
        this.database = database;
        this.marks = new PostgresInbox(database, schema);
        this.notGivenUp = Sql.load("not_given_up", schema);
    }

    /**
     * Starts a member of a consumer that runs commands from a bus, each by the handler of its type. What fails is tried again
     * by the consumer's policy, each time as the next attempt of its run, and is a dead letter of kind command in the end.
     *
     * <p>The member looks after workflow runs as a {@link CommandDesk} does, until it is closed; while it is paused it takes
     * none over. A handler time of the consumer must be long enough for all steps of a run.
     */
    public static Consumer<?> consume(
            Bus bus, ConsumerConfig config, CommandRunner<Connection> runner, DataSource database, Schema schema) {
        Handlers<CommandDelivery> handlers = Handlers.none();
        for (var handler : runner.handlers().namesByType().entrySet()) {
            handlers = handlers.on(
                    handler.getKey(), handler.getValue(), (event, delivery) -> handled(runner, event, delivery));
        }
        DeadLetterTarget letters = new PostgresDeadLetters(database, schema);
        Consumer<CommandDelivery> consumer = Consumer.start(
                bus,
                config.kind(Source.COMMAND),
                handlers,
                new Equipment<>(
                        new PostgresCommandInbox(database, schema),
                        DeadLetterChain.of(letters, DeadLetterTarget.TRANSPORT),
                        new CommandLetters(new PostgresConsumers(database, schema))));
        String name = config.subscriber().name();
        Takeover<Connection> takeover = new Takeover<>(runner, name, letters, retries(config));
        consumer.atEnd(CommandDesk.open(runner, takeover, name, consumer::isPaused)::close);
        return consumer;
    }

    private static Verdict handled(CommandRunner<Connection> runner, Event event, CommandDelivery delivery)
            throws Exception {
        try {
            return runner.handle(event, delivery);
        } catch (SequenceMismatchException mismatch) {
            throw new DeadLetterException(mismatch.why());
        }
    }

    private static RetryPolicy retries(ConsumerConfig config) {
        return config.giveUp() == GiveUp.EXPLICIT ? RetryPolicy.fixed(Integer.MAX_VALUE, SELDOM) : config.retries();
    }

    @Override
    public InboxSession<CommandDelivery> begin() {
        return new Session(new CommandDelivery(database));
    }

    @Override
    public Trouble troubleOf(Throwable failure) {
        return marks.troubleOf(failure);
    }

    private final class Session implements InboxSession<CommandDelivery> {

        private final CommandDelivery delivery;

        Session(CommandDelivery delivery) {
            this.delivery = delivery;
        }

        @Override
        public CommandDelivery transaction() {
            return delivery;
        }

        /** A redriven letter has taken its mark away, in a transaction that is still open. */
        @Override
        public Set<UUID> firstTimes(HandlerId handler, Collection<UUID> commands) {
            return delivery.isOpen() ? Set.copyOf(commands) : notGivenUp(handler, commands);
        }

        @Override
        public void commit() {
            delivery.commit();
        }

        /** Its steps have connections of their own; their thread is interrupted. */
        @Override
        public void cancel() {}

        @Override
        public void close() {
            delivery.close();
        }
    }

    private Set<UUID> notGivenUp(HandlerId handler, Collection<UUID> commands) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement(notGivenUp)) {
                new Parameters(statement)
                        .name("consumer name", handler.consumer())
                        .name("handler name", handler.handler())
                        .array("uuid", commands);
                Set<UUID> wanted = new HashSet<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        wanted.add(rows.getObject(1, UUID.class));
                    }
                }
                return wanted;
            }
        } catch (SQLException failed) {
            throw new InboxException(
                    "The inbox of " + handler + " can not be used: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }
}
