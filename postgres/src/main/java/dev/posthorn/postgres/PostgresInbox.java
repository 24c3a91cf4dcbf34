package dev.posthorn.postgres;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.Failure;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * An inbox in the database of the effects: the mark is inserted first, in the handler's own transaction, so mark and effects
 * are kept together or not at all.
 *
 * <p>A second delivery of an event that is in work waits, is skipped when the first has committed, and is handled when that
 * was rolled back. Needs the rights of a {@link RoleKind#CONSUMER}. Thread-safe.
 */
public final class PostgresInbox implements Inbox<Connection> {

    /** How long a second delivery waits for the first unless told otherwise. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The name of the handler where somebody names a consumer only. */
    private static final String ONLY = "main";

    /** Connection lost, server shutting down, or read-only after a failover. */
    private static final Pattern LOST = Pattern.compile("08.*|57P.*|25006");
    /** Serialisation failures and deadlocks, lack of resources, locks not to be had, cancelled. */
    private static final Pattern FLEETING = Pattern.compile("40.*|53.*|55.*|57014");

    private final DataSource database;
    private final String firstTime;
    private final String firstTimes;
    private final int patienceMillis;

    public PostgresInbox(DataSource database, Schema schema) {
        this(database, schema, PATIENCE);
    }

    /**
     * An inbox over a data source.
     *
     * @param patience how long a second delivery of an event waits for the first. Too low: it comes again for nothing. Too
     *     high: a handler that hangs holds a second thread
     */
    public PostgresInbox(DataSource database, Schema schema, Duration patience) {
        if (patience.toMillis() < 1 || patience.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("patience must be 1 ms to 24 days, but is " + patience);
        }
        this.database = database;
        this.firstTime = Sql.load("first_time", schema);
        this.firstTimes = Sql.load("first_times", schema);
        this.patienceMillis = (int) patience.toMillis();
    }

    /** All that a consumer needs, in one database; dead letters it can not take go to the transport's own. */
    public static Equipment<Connection> equipment(DataSource database, Schema schema) {
        return new Equipment<>(
                new PostgresInbox(database, schema),
                DeadLetterChain.of(new PostgresDeadLetters(database, schema), DeadLetterTarget.TRANSPORT),
                new PostgresConsumers(database, schema));
    }

    /** What is done once. */
    @FunctionalInterface
    public interface Work {
        void run(Connection connection) throws Exception;
    }

    /**
     * The smallest form, for people with their own loop: does the work unless this consumer has done it for this event.
     *
     * <p>The transaction is the caller's, who commits it; mark and effects are kept together. Whatever the work throws is
     * passed on, and the caller rolls back. Throws {@link PosthornException} if the connection commits by itself.
     *
     * @return whether the work was done now; false if it was before
     */
    public boolean once(Connection connection, String consumer, UUID event, Work work) throws Exception {
        if (connection.getAutoCommit()) {
            throw new PosthornException("The connection commits by itself, so the mark and the effects of event "
                    + event + " would not be kept together. Call setAutoCommit(false) first.");
        }
        if (firstTimes(connection, new HandlerId(consumer, ONLY), Set.of(event)).isEmpty()) {
            return false;
        }
        work.run(connection);
        return true;
    }

    /**
     * In the caller's transaction, for people who begin and end it by other means: marks these events, and answers which were
     * not marked before.
     */
    public Set<UUID> firstTimes(Connection connection, HandlerId handler, Collection<UUID> events) throws SQLException {
        if (events.size() == 1) {
            UUID only = events.iterator().next();
            return firstTime(connection, handler, only) ? Set.of(only) : Set.of();
        }
        Set<UUID> fresh = new HashSet<>();
        if (events.isEmpty()) {
            return fresh;
        }
        try (PreparedStatement statement = connection.prepareStatement(firstTimes)) {
            new Parameters(statement)
                    .name("consumer name", handler.consumer())
                    .name("handler name", handler.handler())
                    .array("uuid", events)
                    .value(patienceMillis);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    fresh.add(rows.getObject(1, UUID.class));
                }
            }
        }
        return fresh;
    }

    private boolean firstTime(Connection connection, HandlerId handler, UUID event) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(firstTime)) {
            new Parameters(statement)
                    .name("consumer name", handler.consumer())
                    .name("handler name", handler.handler())
                    .value(event)
                    .value(patienceMillis);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    @Override
    public InboxSession<Connection> begin() {
        try {
            Connection connection = database.getConnection();
            try {
                connection.setAutoCommit(false);
                return new PostgresInboxSession(connection, this);
            } catch (SQLException broken) {
                connection.close();
                throw broken;
            }
        } catch (SQLException unreachable) {
            throw new InboxException(
                    "The inbox can not be reached: " + DatabaseFailure.reasonOf(unreachable), unreachable);
        }
    }

    @Override
    public Trouble troubleOf(Throwable failure) {
        for (Throwable cause : Failure.chainOf(failure)) {
            if (cause instanceof SQLException sql) {
                String state = String.valueOf(sql.getSQLState());
                if (LOST.matcher(state).matches()) {
                    return Trouble.OUTAGE;
                }
                return FLEETING.matcher(state).matches() ? Trouble.PASSING : Trouble.LASTING;
            }
        }
        return Trouble.LASTING;
    }
}
