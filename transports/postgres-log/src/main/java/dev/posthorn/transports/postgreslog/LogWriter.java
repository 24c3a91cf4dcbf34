package dev.posthorn.transports.postgreslog;

import dev.posthorn.event.Event;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.event.PosthornException;
import dev.posthorn.event.UnstorableTextException;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.PayloadTooLargeException;
import dev.posthorn.transport.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Emits events in a transaction of their own and tells what became of it. Knows no threads. */
final class LogWriter {

    /** Bad data, broken constraints, and more than an index takes: what is wrong is the event. */
    private static final Set<String> OF_THE_EVENT = Set.of("22", "23", "54");
    /** Met another transaction, or gave up waiting for it. That is an event's fault only while others go through. */
    private static final Set<String> TRY_AGAIN = Set.of("40001", "40P01", "55P03", "57014");
    /** Connection lost, or the server ended the session: a commit may have gone through all the same. */
    private static final Set<String> SESSION_LOST = Set.of("08", "57");

    private static final Outcome NOT_BEGUN = Outcome.unavailable("not begun");

    private final LogDatabase database;

    LogWriter(LogDatabase database) {
        this.database = database;
    }

    /** One outcome for all: the transaction is committed, or it is not, or nobody knows. */
    Outcome write(List<Event> events, Duration longest) {
        Outcome outcome = NOT_BEGUN;
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(longest.toMillis()));
            connection.setAutoCommit(false);
            outcome = emit(connection, events);
            connection.setAutoCommit(true);
        } catch (SQLException lost) {
            // What happened before it stands: a connection that is gone can not change what became of the transaction.
            return outcome == NOT_BEGUN ? Outcome.unavailable(Outcome.reasonOf(lost)) : outcome;
        }
        return outcome;
    }

    private Outcome emit(Connection connection, List<Event> events) {
        try {
            database.outbox().emit(connection, events, EmitOption.IDEMPOTENT);
        } catch (PosthornException notEmitted) {
            rollBack(connection, notEmitted);
            return outcomeOf(notEmitted);
        }
        return commit(connection);
    }

    private static Outcome commit(Connection connection) {
        try {
            connection.commit();
            return Outcome.accepted();
        } catch (SQLException failed) {
            String state = stateOf(failed.getSQLState());
            boolean lost = state.isEmpty() || SESSION_LOST.contains(state.substring(0, 2));
            return lost
                    ? Outcome.unavailable("the connection was lost while committing: " + Outcome.reasonOf(failed))
                    : outcomeOf(state, Outcome.reasonOf(failed));
        }
    }

    private static void rollBack(Connection connection, Exception cause) {
        try {
            connection.rollback();
        } catch (SQLException alsoFailed) {
            cause.addSuppressed(alsoFailed);
        }
    }

    /** Of events that could not be emitted; nothing of them is in the log. */
    static Outcome outcomeOf(PosthornException error) {
        if (error instanceof PayloadTooLargeException
                || error instanceof InvalidEventException
                || error instanceof UnstorableTextException) {
            return Outcome.refused(String.valueOf(error.getMessage()));
        }
        return error instanceof EmitFailedException failed
                ? outcomeOf(stateOf(failed.sqlState()), String.valueOf(failed.getMessage()))
                : Outcome.unavailable(String.valueOf(error.getMessage()));
    }

    /** Nothing was committed, because of this. */
    private static Outcome outcomeOf(String state, String reason) {
        if (TRY_AGAIN.contains(state)) {
            return Outcome.unknown(reason);
        }
        boolean ofTheEvent = !state.isEmpty() && OF_THE_EVENT.contains(state.substring(0, 2));
        return ofTheEvent ? Outcome.refused(reason) : Outcome.unavailable(reason);
    }

    private static String stateOf(@Nullable String state) {
        return state == null || state.length() < 5 ? "" : state;
    }
}
