package dev.posthorn.spring;

import dev.posthorn.inbox.Inbox;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.postgres.DatabaseFailure;
import dev.posthorn.postgres.PostgresInbox;
import java.sql.Connection;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;

/**
 * The inbox of Postgres in transactions of Spring's: what a handler does through a {@code JdbcTemplate}, JPA or jOOQ is in the
 * transaction of the mark.
 */
final class SpringInbox implements Inbox<Connection> {

    private final PostgresInbox inbox;
    private final SpringTransactions transactions;

    SpringInbox(PostgresInbox inbox, SpringTransactions transactions) {
        this.inbox = inbox;
        this.transactions = transactions;
    }

    @Override
    public InboxSession<Connection> begin() {
        try {
            TransactionStatus begun = transactions.begin();
            Connection connection = DataSourceUtils.getConnection(transactions.database());
            return new SpringInboxSession(inbox, transactions, begun, connection);
        } catch (TransactionException unreachable) {
            throw new InboxException(
                    "The inbox can not be reached: " + DatabaseFailure.reasonOf(unreachable), unreachable);
        }
    }

    /** Spring's exceptions have the driver's as their cause. */
    @Override
    public Trouble troubleOf(Throwable failure) {
        return inbox.troubleOf(failure);
    }
}
