package dev.posthorn.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** A test's database in which the server ends the session at the step that the test names, once. */
final class TerminatingDataSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    /** Where the session ends: before the statement, or when it is done and its answer is on the way. */
    enum Moment {
        BEFORE,
        AFTER
    }

    /**
     * A statement file, or {@code commit}.
     *
     * @param sql what a statement that is meant contains
     */
    private record Target(String sql, Moment moment) {}

    static final String COMMIT = "commit";

    private final transient TestPostgres postgres;
    private final transient AtomicReference<@Nullable Target> armed = new AtomicReference<>();

    TerminatingDataSource(TestPostgres postgres) {
        this.postgres = postgres;
        setUrl(postgres.dataSource().getUrl());
        setUser("postgres");
    }

    /** Ends the next session that comes to this statement. */
    void terminateAt(String statement, Moment moment) {
        String sql = statement.equals(COMMIT)
                ? COMMIT
                : EventRows.withEvent(Sql.load(statement, Schema.DEFAULT), Schema.DEFAULT);
        armed.set(new Target(sql, moment));
    }

    boolean hasTerminated() {
        return armed.get() == null;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = super.getConnection();
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement") && arguments.length == 1) {
                return statement(real, (String) arguments[0]);
            }
            return method.getName().equals("commit")
                    ? around(real, COMMIT, () -> method.invoke(real, arguments))
                    : invoke(() -> method.invoke(real, arguments));
        });
    }

    private PreparedStatement statement(Connection connection, String sql) throws SQLException {
        PreparedStatement real = connection.prepareStatement(sql);
        return proxy(
                PreparedStatement.class,
                (proxy, method, arguments) -> method.getName().startsWith("execute")
                        ? around(connection, sql, () -> method.invoke(real, arguments))
                        : invoke(() -> method.invoke(real, arguments)));
    }

    private Object around(Connection connection, String sql, Call call) throws Throwable {
        terminateIf(connection, sql, Moment.BEFORE);
        Object result = invoke(call);
        if (terminateIf(connection, sql, Moment.AFTER)) {
            throw new SQLException("the session ended before its answer was here", "08006");
        }
        return result;
    }

    private boolean terminateIf(Connection connection, String sql, Moment moment) throws SQLException {
        @Nullable Target target = armed.get();
        if (target == null
                || target.moment() != moment
                || !sql.contains(target.sql())
                || !armed.compareAndSet(target, null)) {
            return false;
        }
        int pid = connection.unwrap(PGConnection.class).getBackendPID();
        if (!postgres.rows("SELECT pg_terminate_backend(" + pid + ", 10000)").equals(List.of("t"))) {
            throw new AssertionError("The session " + pid + " did not end");
        }
        return true;
    }

    private interface Call {
        Object run() throws ReflectiveOperationException;
    }

    private static Object invoke(Call call) throws Throwable {
        try {
            return call.run();
        } catch (InvocationTargetException failed) {
            throw Objects.requireNonNull(failed.getCause());
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
