package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.operations.Board;
import dev.posthorn.operations.FigureStep;
import dev.posthorn.operations.Health;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.Schema;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a scrape shows costs the database little, however much waits: by its own statistics. */
@Tag("slow")
class ScrapeCostTest {

    private static final int ROWS = switch (System.getProperty("posthorn.size", "normal")) {
        case "fast" -> 50_000;
        case "soak" -> 5_000_000;
        default -> 200_000;
    };

    private static final int IN_A_TRANSACTION = 500;

    /** For one route: what is counted, and some for each lane. */
    private static final long MOST_ROWS = 40_000;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static EmbeddedPostgres server;
    private static String url;

    @BeforeAll
    static void aLogThatNobodyPublishes() throws SQLException {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        url = server.createDatabase("large");
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
        assertThat(Cli.run("routes", "create", "main", "--start", "beginning", "--database-url", url)
                        .code())
                .isZero();
        run("DO $$ BEGIN FOR i IN 1.." + ROWS / IN_A_TRANSACTION
                + " LOOP INSERT INTO posthorn.outbox (domain, type, key)"
                + " SELECT 'shop', 'placed', 'k' || n FROM generate_series(1, " + IN_A_TRANSACTION
                + ") n; COMMIT; END LOOP; END $$");
        run("ANALYZE posthorn.outbox");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void nothingIsReadWholeAndNotMuchAtAll() throws SQLException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Health health = new Health(Clock.systemUTC(), new Health.Limits(MINUTE, MINUTE, MINUTE, Optional.empty()));
        List<Long> before = read();

        try (HikariDataSource database = pool()) {
            new FigureStep(
                            new PostgresFigures(database, Schema.DEFAULT),
                            Optional::empty,
                            new Board(registry, Clock.systemUTC()),
                            health,
                            message -> message)
                    .runOnce();
        }

        List<Long> after = read();
        assertThat(after.get(0)).as("sequential scans of the log").isEqualTo(before.get(0));
        assertThat(after.get(1) - before.get(1)).as("rows read of the log").isBetween(10_000L, MOST_ROWS);
        String scrape = registry.scrape();
        assertThat(value(scrape, "event_outbox_backlog_estimated{route=\"main\"}"))
                .isEqualTo(1);
        assertThat(value(scrape, "event_outbox_backlog{route=\"main\"}")).isBetween(ROWS * 0.9, ROWS * 1.1);
    }

    private static double value(String scrape, String name) {
        return scrape.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    /** Sequential scans of the log, and rows that any scan of it gave. A session's statistics are there once it has ended. */
    private static List<Long> read() throws SQLException {
        String others = "SELECT count(*), 0 FROM pg_stat_activity WHERE datname = current_database()"
                + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
        long end = System.nanoTime() + MINUTE.toNanos();
        while (numbers(others).get(0) > 0) {
            assertThat(System.nanoTime()).as("sessions that do not end").isLessThan(end);
        }
        return numbers("SELECT seq_scan, seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes"
                + " WHERE schemaname = 'posthorn' AND relname = 'outbox')"
                + " FROM pg_stat_user_tables WHERE schemaname = 'posthorn' AND relname = 'outbox'");
    }

    private static List<Long> numbers(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return List.of(row.getLong(1), row.getLong(2));
        }
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
