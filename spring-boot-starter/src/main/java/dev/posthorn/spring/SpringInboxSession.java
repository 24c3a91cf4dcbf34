package dev.posthorn.spring;

import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.inbox.UndoneException;
import dev.posthorn.postgres.DatabaseFailure;
import dev.posthorn.postgres.PostgresInbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionStatus;

/** One transaction of Spring's. It is bound to the thread that began it, as all of Spring's are. */
final class SpringInboxSession implements InboxSession<Connection> {

    private static final Logger LOG = LoggerFactory.getLogger(SpringInboxSession.class);

    /** Broken constraints, and transactions that lost against others, are what was done in them. */
    private static final Pattern UNDONE = Pattern.compile("23.*|40.*|25P.*|P0.*");

    private final PostgresInbox inbox;
    private final SpringTransactions transactions;
    private final TransactionStatus begun;
    private final Connection connection;

    SpringInboxSession(
            PostgresInbox inbox, SpringTransactions transactions, TransactionStatus begun, Connection connection) {
        this.inbox = inbox;
        this.transactions = transactions;
        this.begun = begun;
        this.connection = connection;
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
                    "The inbox of " + handler + " can not be used: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    /** A transaction that something within it marked for rollback is undone, and so is one that JPA could not flush. */
    @Override
    public void commit() {
        boolean marked = begun.isRollbackOnly();
        try {
            transactions.commit(begun);
        } catch (RuntimeException failed) {
            Optional<SQLException> said = sqlCause(failed);
            if (said.isEmpty()
                    || UNDONE.matcher(String.valueOf(said.get().getSQLState())).matches()) {
                throw new UndoneException(
                        "What the handler did can not be kept: " + DatabaseFailure.reasonOf(failed), failed);
            }
            throw new InboxException(
                    "It is not known whether the effects were kept: " + DatabaseFailure.reasonOf(failed), failed);
        }
        if (marked) {
            throw new UndoneException(
                    "The transaction was marked for rollback while the event was handled",
                    new IllegalStateException("rollback-only"));
        }
    }

    private static Optional<SQLException> sqlCause(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException found) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
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
            if (!begun.isCompleted()) {
                transactions.rollBack(begun);
            }
        } catch (RuntimeException broken) {
            LOG.debug("A transaction could not be rolled back; the server does it", broken);
        }
    }
}
