package dev.posthorn.systemtests;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** An address behind which another server may stand tomorrow: connections that are open stay where they are. */
final class MovingDataSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    private final AtomicInteger connections = new AtomicInteger();

    MovingDataSource(String url) {
        moveTo(url);
    }

    @Override
    public Connection getConnection() throws SQLException {
        connections.incrementAndGet();
        return super.getConnection();
    }

    /** Where connections go from now on. */
    void moveTo(String url) {
        setUrl(url);
        setApplicationName("relay");
    }

    /** How many were asked for. */
    int connections() {
        return connections.get();
    }
}
