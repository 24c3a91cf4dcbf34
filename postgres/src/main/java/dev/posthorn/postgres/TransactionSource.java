package dev.posthorn.postgres;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the connection of a transaction that is open already, so that several changes are committed together or not at all.
 *
 * <p>A transaction begun on such a connection is a savepoint of the open one: its rollback undoes that part alone, and its commit
 * keeps that part until the open transaction ends. To close the connection ends nothing. The owner of the transaction commits it.
 * For one thread at a time, as the connection is.
 */
public final class TransactionSource implements DataSource {

    private final Connection transaction;

    /** Over a connection that is not in auto-commit mode. */
    public TransactionSource(Connection transaction) {
        this.transaction = transaction;
    }

    @Override
    public Connection getConnection() {
        Part part = new Part(transaction);
        return (Connection) Proxy.newProxyInstance(
                TransactionSource.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> part.call(method, arguments));
    }

    /** The transaction has its login. */
    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("An open transaction keeps its login.");
    }

    /** A part of the transaction, as long as one caller has the connection. */
    private static final class Part {

        private final Connection transaction;
        private @Nullable Savepoint begun;

        Part(Connection transaction) {
            this.transaction = transaction;
        }

        @Nullable
        Object call(Method method, Object @Nullable [] arguments) throws Throwable {
            switch (method.getName()) {
                case "close" -> keep();
                case "setAutoCommit" -> {
                    keep();
                    if (arguments != null && !(boolean) arguments[0]) {
                        begun = transaction.setSavepoint();
                    }
                }
                case "commit" -> {
                    if (begun != null) {
                        keep();
                        begun = transaction.setSavepoint();
                    }
                }
                case "rollback" -> {
                    if (arguments == null) {
                        undo();
                    } else {
                        transaction.rollback((Savepoint) arguments[0]);
                    }
                }
                default -> {
                    return passed(method, arguments);
                }
            }
            return null;
        }

        private void keep() throws SQLException {
            Savepoint kept = begun;
            if (kept != null) {
                begun = null;
                transaction.releaseSavepoint(kept);
            }
        }

        private void undo() throws SQLException {
            Savepoint kept = begun;
            if (kept != null) {
                transaction.rollback(kept);
            }
        }

        private @Nullable Object passed(Method method, Object @Nullable [] arguments) throws Throwable {
            try {
                return method.invoke(transaction, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause() == null ? thrown : thrown.getCause();
            }
        }
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
