package dev.posthorn.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Console;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a page of the console costs the database has a limit, however large the log is: by the database's own statistics. */
@Tag("slow")
class ConsoleBenchTest {

    private static final int EVENTS = switch (System.getProperty("posthorn.size", "normal")) {
        case "fast" -> 20_000;
        case "soak" -> 5_000_000;
        default -> 200_000;
    };

    /**
     * Of four routes with sixteen lanes: 10,000 rows that are counted of each route, and 2,000 of each lane. A page may ask for both,
     * and what the console looks at by itself meanwhile comes on top. A tenth of the log at the size of a soak. A search for events
     * ends by the clock and has no such limit.
     */
    private static final long MOST_ROWS = 500_000;

    private static final String PAGE = "a page";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void everyPageIsMeasured() throws SQLException {
        ConsoleBench benchmark = new ConsoleBench();

        BenchResult result = Tiny.run(benchmark, Tiny.of(benchmark));

        assertThat(result.floors()).hasSize(1);
        assertThat(result.lines()).extracting(BenchResult.Line::contender).contains("doctor", "lanes", "keys");
    }

    @Test
    void noPageReadsTheLogFromEndToEnd() throws SQLException {
        BenchOptions options = new ConsoleBench().standard().withEvents(EVENTS);
        try (BenchContext context = BenchContext.on(Servers.unsafeFast(), options, progress -> {})) {
            FullLog log = new FullLog(context);
            log.fill();
            List<ConsolePage> pages = ConsolePage.all(context, log);
            endSessions(context);
            List<String> faults = new ArrayList<>();

            for (ConsolePage page : pages) {
                Read read = cost(context, page);
                if (read.scans() > 0) {
                    faults.add(page.name() + " scans the log");
                }
                if (read.rows() > MOST_ROWS && !page.path().startsWith("/v1/events?")) {
                    faults.add(page.name() + " reads " + read.rows() + " rows of the log");
                }
            }

            assertThat(faults).isEmpty();
        }
    }

    /** Sequential scans of the log, and rows that any scan of it gave. */
    private record Read(long scans, long rows) {}

    /** The console looks by itself once it is open, so that look is part of each figure. */
    private static Read cost(BenchContext context, ConsolePage page) throws SQLException {
        Read before = read(context);
        try (HikariDataSource pool = BenchContext.pool(context.pool().getJdbcUrl(), Map.of("ApplicationName", PAGE));
                Console console = ConsoleBench.open(pool, context.schema())) {
            String unused = page.ask(console);
        }
        Read after = read(context);
        return new Read(after.scans() - before.scans(), after.rows() - before.rows());
    }

    /** A session's statistics are there once it has ended. */
    private static Read read(BenchContext context) throws SQLException {
        try (Connection connection = context.connect();
                Statement statement = connection.createStatement()) {
            gone(statement, "application_name = '" + PAGE + "'");
            String of = " WHERE schemaname = '" + context.schema().name() + "' AND relname = 'outbox'";
            return new Read(
                    number(statement, "SELECT seq_scan FROM pg_stat_user_tables" + of),
                    number(
                            statement,
                            "SELECT (SELECT seq_tup_read FROM pg_stat_user_tables" + of
                                    + ") + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes" + of + ")"));
        }
    }

    /** What the sessions did that made the log is counted before the first page, not with it. */
    private static void endSessions(BenchContext context) throws SQLException {
        try (Connection connection = context.connect();
                Statement statement = connection.createStatement();
                ResultSet now = statement.executeQuery("SELECT clock_timestamp()")) {
            now.next();
            String marker = now.getString(1);
            context.freshConnections();
            gone(statement, "backend_start < '" + marker + "' AND pid <> pg_backend_pid()");
        }
    }

    private static void gone(Statement statement, String which) throws SQLException {
        String sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND backend_type = 'client backend' AND " + which;
        long end = System.nanoTime() + MINUTE.toNanos();
        while (number(statement, sessions) > 0) {
            assertThat(System.nanoTime()).as("sessions that do not end").isLessThan(end);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
