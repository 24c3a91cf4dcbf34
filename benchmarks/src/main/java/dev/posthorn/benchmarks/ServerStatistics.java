package dev.posthorn.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * What the server itself counted between two moments: bytes of WAL, statements, rows changed.
 *
 * <p>Of the whole server: nothing else may run meanwhile. Statements are those of pg_stat_statements, BEGIN and COMMIT
 * included.
 */
final class ServerStatistics {

    /** Only WAL that is on disk can be inspected, and a checkpoint would remove it. */
    private static final String FLUSH_WAL = "BEGIN; SET LOCAL synchronous_commit = on;"
            + " SELECT pg_logical_emit_message(true, 'posthorn_bench', ''); COMMIT";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BenchContext context;
    private String start = "0/0";

    private ServerStatistics(BenchContext context) {
        this.context = context;
    }

    /**
     * What happened between start and stop.
     *
     * @param walBytes all WAL
     * @param fullPageBytes that part of it which only says how pages looked before their first change after a checkpoint
     * @param statements all statements
     */
    record Counted(double walBytes, double fullPageBytes, double statements) {}

    /** On a server that lets its WAL be inspected and its statements be counted. */
    static ServerStatistics of(BenchContext context) throws SQLException {
        try {
            context.run(
                    "CREATE EXTENSION IF NOT EXISTS pg_stat_statements",
                    "CREATE EXTENSION IF NOT EXISTS pg_walinspect",
                    "SELECT count(*) FROM pg_stat_statements");
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "This benchmark needs pg_stat_statements in shared_preload_libraries, pg_walinspect and a"
                            + " superuser; leave out --database-url to run it on a server of its own.",
                    e);
        }
        context.countStatements();
        return new ServerStatistics(context);
    }

    void start() throws SQLException {
        start = location();
        context.run("SELECT pg_stat_statements_reset()");
    }

    Counted stop() throws SQLException {
        double statements = context.number(
                "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'");
        String end = location();
        context.run(FLUSH_WAL);
        try (Connection connection = context.pool().getConnection();
                PreparedStatement query = connection.prepareStatement("SELECT pg_wal_lsn_diff(?::pg_lsn, ?::pg_lsn),"
                        + " (SELECT coalesce(sum(fpi_size), 0) FROM pg_get_wal_stats(?::pg_lsn, ?::pg_lsn))")) {
            query.setString(1, end);
            query.setString(2, start);
            query.setString(3, start);
            query.setString(4, end);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return new Counted(row.getDouble(1), row.getDouble(2), statements);
            }
        }
    }

    private String location() throws SQLException {
        try (Connection connection = context.pool().getConnection();
                PreparedStatement query = connection.prepareStatement("SELECT pg_current_wal_insert_lsn()::text");
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    /** How many rows of the log were ever updated or deleted. */
    double changesOfTheLog() throws SQLException {
        awaitReports();
        return context.number("SELECT n_tup_upd + n_tup_del FROM pg_stat_user_tables"
                + " WHERE schemaname = '{schema}' AND relname = 'outbox'");
    }

    /** A server process reports what it did to tables some time later, but at its end at the latest. */
    private void awaitReports() throws SQLException {
        double now = context.number("SELECT date_part('epoch', clock_timestamp())");
        context.freshConnections();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (context.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND backend_type = 'client backend' AND date_part('epoch', backend_start) < " + now)
                > 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Other sessions stay connected to the database; end them.");
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
