package dev.posthorn.spring;

import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.NoTransactionException;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Spring's transactions on the database of the log. Thread-safe; what it answers belongs to the calling thread. */
final class SpringTransactions {

    private final DataSource database;
    private final PlatformTransactionManager manager;

    SpringTransactions(DataSource database, PlatformTransactionManager manager) {
        this.database = withoutProxy(database);
        this.manager = manager;
    }

    /** Transactions are bound to what stands behind the proxy that hands them out. */
    private static DataSource withoutProxy(DataSource given) {
        if (given instanceof TransactionAwareDataSourceProxy proxy) {
            DataSource target = proxy.getTargetDataSource();
            return target == null ? given : target;
        }
        return given;
    }

    DataSource database() {
        return database;
    }

    /** The connection of the transaction that runs here, or {@link NoTransactionException}. */
    Connection current() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new NoTransactionException(
                    "Nothing was emitted: no transaction of Spring's is active here, so the event would not be part of any."
                            + " Emit in a @Transactional method that is called through its bean, or in a"
                            + " TransactionTemplate.");
        }
        if (!isBound()) {
            throw new NoTransactionException(
                    "Nothing was emitted: the transaction that is active here is not one of the data source with the log."
                            + " Use the transaction manager of that data source; a JpaTransactionManager needs a dialect"
                            + " that exposes the JDBC connection.");
        }
        return DataSourceUtils.getConnection(database);
    }

    private boolean isBound() {
        return TransactionSynchronizationManager.getResource(database) instanceof ConnectionHolder;
    }

    /** Begins a transaction of its own on this thread. */
    TransactionStatus begin() {
        TransactionStatus begun = manager.getTransaction(
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        if (!isBound()) {
            manager.rollback(begun);
            throw new PosthornException(
                    "The transaction manager " + manager.getClass().getName()
                            + " begins no transactions on the data source with the log, so nothing can be handled once. Make the"
                            + " transaction manager of that data source the primary one.");
        }
        return begun;
    }

    void commit(TransactionStatus begun) {
        manager.commit(begun);
    }

    void rollBack(TransactionStatus begun) {
        manager.rollback(begun);
    }
}
