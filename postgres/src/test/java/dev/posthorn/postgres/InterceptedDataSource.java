package dev.posthorn.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** A test's database whose connections let the test do something between two steps, or fail there. */
final class InterceptedDataSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    /** Runs in the middle of someone else's call; what it throws is what the caller gets. */
    interface Interception {
        void run() throws SQLException;
    }

    private static final Interception NOTHING = () -> {};

    transient volatile Interception beforeConnecting = NOTHING;
    transient volatile Interception beforeCommit = NOTHING;
    transient volatile Interception afterCommit = NOTHING;

    InterceptedDataSource(TestPostgres postgres) {
        setUrl(postgres.dataSource().getUrl());
        setUser("postgres");
    }

    @Override
    public Connection getConnection() throws SQLException {
        beforeConnecting.run();
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    boolean commits = method.getName().equals("commit");
                    if (commits) {
                        beforeCommit.run();
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        if (commits) {
                            afterCommit.run();
                        }
                        return result;
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
