package dev.posthorn.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** A test's database whose connections break when a statement is prepared, after so many, and stay broken. */
final class BrokenConnections extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    private final AtomicInteger left;

    BrokenConnections(TestPostgres postgres, int statements) {
        setUrl(postgres.dataSource().getUrl());
        setUser("postgres");
        left = new AtomicInteger(statements);
    }

    void mend() {
        left.set(Integer.MAX_VALUE);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        if (left.getAndDecrement() <= 0) {
                            real.close();
                            throw new SQLException("broken by the test", "08006");
                        }
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
