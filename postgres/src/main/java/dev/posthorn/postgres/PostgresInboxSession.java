package dev.posthorn.postgres;

import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.inbox.UndoneException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One transaction of one connection, which goes back to its pool in the end. */
final class PostgresInboxSession implements InboxSession<Connection> {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresInboxSession.class);

    private final Connection connection;
    private final PostgresInbox inbox;
    private boolean committed;

    PostgresInboxSession(Connection connection, PostgresInbox inbox) {
        this.connection = connection;
        this.inbox = inbox;
    }

    @Override
    public Connection transaction() {
        return connection;
    }

    @Override
    public Set<UUID> firstTimes(HandlerId handler, Collection<UUID> events) {
        try {
            return inbox.firstTimes(connection, handler, events);
        } catch (SQLException failed) {
            throw new InboxException(
                    "55P03".equals(failed.getSQLState())
                            ? "Another member has had an event of " + handler + " in work for long"
                            : "The inbox of " + handler + " can not be used: " + DatabaseFailure.reasonOf(failed),
                    failed);
        }
    }

    @Override
    public void commit() {
        try {
            connection.commit();
            committed = true;
        } catch (SQLException failed) {
            String state = String.valueOf(failed.getSQLState());
            // Broken constraints, and transactions that lost against others, are what was done in them.
            if (state.startsWith("23") || state.startsWith("40") || state.startsWith("25P") || state.startsWith("P0")) {
                throw new UndoneException(
                        "What the handler did can not be kept: " + DatabaseFailure.reasonOf(failed), failed);
            }
            throw new InboxException(
                    "It is not known whether the effects were kept: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    @Override
    public void cancel() {
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException gone) {
            LOG.debug("What a handler runs could not be cancelled", gone);
        }
    }

    @Override
    public void close() {
        try {
            if (!committed) {
                connection.rollback();
            }
        } catch (SQLException broken) {
            LOG.debug("A transaction could not be rolled back; the server does it", broken);
        }
        try {
            connection.close();
        } catch (SQLException broken) {
            LOG.debug("A connection could not be closed", broken);
        }
    }
}
