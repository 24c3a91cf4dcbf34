package dev.posthorn.transports.postgreslog;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Set;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Connections whose server session is ended before or after the n-th step of a transaction that handles events; a step is any
 * call that goes to the server. Counting begins with the first savepoint.
 */
final class StepwiseDataSource implements DataSource {

    private static final Set<String> STEPS =
            Set.of("prepareStatement", "createStatement", "setSavepoint", "releaseSavepoint", "rollback", "commit");

    private final DataSource real;
    private final DataSource executioner;
    private int stepsLeft = -1;
    private boolean after;
    private boolean struck;
    private boolean atCommit;
    private boolean countsAll;

    StepwiseDataSource(DataSource real, DataSource executioner) {
        this.real = real;
        this.executioner = executioner;
    }

    /** From now on: the session that does its n-th step is ended, once. */
    synchronized void strike(int step, boolean afterIt) {
        stepsLeft = step;
        after = afterIt;
        struck = false;
    }

    /** Also steps of transactions that handle nothing. */
    StepwiseDataSource countingAll() {
        countsAll = true;
        return this;
    }

    /** The answer to the next commit is lost. */
    synchronized void strikeAtCommit() {
        atCommit = true;
        after = true;
    }

    /** Whether there were as many steps as that. */
    synchronized boolean hasStruck() {
        return struck;
    }

    private synchronized boolean isTheStep(String name) {
        if (atCommit && name.equals("commit")) {
            atCommit = false;
            return true;
        }
        if (stepsLeft > 0 && --stepsLeft == 0) {
            struck = true;
            return true;
        }
        return false;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = real.getConnection();
        boolean[] handles = new boolean[1];
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    String name = method.getName();
                    handles[0] |= name.equals("setSavepoint");
                    boolean strikes = (handles[0] || countsAll) && STEPS.contains(name) && isTheStep(name);
                    if (strikes && !after) {
                        end(connection);
                    }
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (strikes && after) {
                            end(connection);
                            if (name.equals("commit")) {
                                throw new SQLException("the answer to the commit was lost", "08006");
                            }
                        }
                        handles[0] &= !name.equals("commit");
                        return result;
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private void end(Connection victim) throws SQLException {
        int pid = victim.unwrap(PGConnection.class).getBackendPID();
        try (Connection connection = executioner.getConnection();
                PreparedStatement end = connection.prepareStatement("SELECT pg_terminate_backend(?, 5000)")) {
            end.setInt(1, pid);
            end.execute();
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return real.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        real.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        real.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return real.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return real.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return real.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return real.isWrapperFor(type);
    }
}
