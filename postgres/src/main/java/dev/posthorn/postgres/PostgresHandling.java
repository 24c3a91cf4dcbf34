package dev.posthorn.postgres;

import dev.posthorn.event.Failure;
import dev.posthorn.relay.Handler;
import dev.posthorn.relay.HandlingStore;
import dev.posthorn.relay.RolledBackException;
import dev.posthorn.relay.StoreException;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What handlers do and the flush that says so, in one transaction. Thread-safe. */
final class PostgresHandling implements HandlingStore<Connection> {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresHandling.class);
    /** Classes of errors that are of the database: connection, resources, intervention, system, read-only, internal. */
    private static final Set<String> NOBODYS_FAULT = Set.of("08", "53", "57", "58", "25", "XX");

    private final Connections connections;
    private final PostgresCheckpoints checkpoints;
    private final FailureLog failures;

    PostgresHandling(Connections connections, PostgresCheckpoints checkpoints, String ids) {
        this.failures = new FailureLog(LOG, "Handling", ids);
        this.connections = connections;
        this.checkpoints = checkpoints;
    }

    @Override
    public Set<Integer> handle(String relay, Handler<Connection> handler, Work work) {
        try {
            return connections.transaction("handle events", connection -> {
                Result result = work.run(publication -> handled(publication, handler, connection));
                if (result.lanes().isEmpty()) {
                    return Set.of();
                }
                Set<Integer> lost = checkpoints.write(connection, relay, result.incarnation(), result.lanes());
                if (!lost.isEmpty()) {
                    throw new FencedException(lost);
                }
                return lost;
            });
        } catch (FencedException fenced) {
            return fenced.lost;
        } catch (StoreException failed) {
            throw isOfTheHandlers(failed.getCause())
                    ? new RolledBackException(String.valueOf(failed.getMessage()), failed)
                    : failed;
        }
    }

    private Outcome handled(Publication publication, Handler<Connection> handler, Connection connection) {
        try {
            Savepoint before = connection.setSavepoint();
            Outcome outcome = outcomeOf(publication, handler, connection);
            return outcome instanceof Outcome.Accepted
                    ? kept(outcome, before, connection)
                    : undone(outcome, before, connection);
        } catch (SQLException broken) {
            throw new StoreException(
                    "Could not handle " + publication.event() + ": " + DatabaseFailure.reasonOf(broken), broken);
        }
    }

    private Outcome outcomeOf(Publication publication, Handler<Connection> handler, Connection connection) {
        try {
            Outcome outcome = handler.handle(publication, connection);
            failures.recovered();
            return outcome;
        } catch (Throwable thrown) { // also an Error must not end the thread that flushes
            failures.failed(publication.event() + ": " + Outcome.reasonOf(thrown));
            LOG.debug("The handler failed on {}", publication.event(), Failure.loggable(thrown));
            return Outcome.failed(Outcome.reasonOf(thrown));
        }
    }

    private static Outcome kept(Outcome outcome, Savepoint before, Connection connection) throws SQLException {
        try {
            connection.releaseSavepoint(before);
            return outcome;
        } catch (SQLException aborted) {
            return undone(
                    Outcome.failed("the handler left its transaction aborted: " + aborted.getMessage()),
                    before,
                    connection);
        }
    }

    private static Outcome undone(Outcome outcome, Savepoint before, Connection connection) throws SQLException {
        connection.rollback(before);
        return outcome;
    }

    /** Also where a handler ended the transaction itself, so that the savepoint is gone. */
    private static boolean isOfTheHandlers(@Nullable Throwable cause) {
        return cause instanceof SQLException said
                && said.getSQLState() != null
                && said.getSQLState().length() == 5
                && !NOBODYS_FAULT.contains(said.getSQLState().substring(0, 2));
    }

    /** Rolls back all that the transaction did. */
    private static final class FencedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Set<Integer> lost;

        FencedException(Set<Integer> lost) {
            super("lanes " + lost + " are somebody else's");
            this.lost = lost;
        }
    }
}
