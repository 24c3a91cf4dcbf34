package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.relay.Route;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A scrape looks at a limited number of rows, however many wait. */
@Tag("slow")
class FiguresCostTest {

    private static final int ROWS = TestSize.of(50_000, 200_000, 5_000_000);

    /** Rows that may be looked at for a route: the limit, and some for each lane and transaction. */
    private static final long MOST = 3L * PostgresFigures.MOST_COUNTED + 20_000;

    private static final Pattern ACTUAL = Pattern.compile("Scan.* on (\\w+).*actual .*rows=([0-9.]+) loops=(\\d+)");

    private static final Pattern REMOVED = Pattern.compile("Rows Removed by (?:Index Recheck|Filter): (\\d+)");

    private static TestPostgres postgres;

    @BeforeAll
    static void aLogThatNobodyPublishes() throws SQLException {
        postgres = TestPostgres.migrated();
        PostgresRelayStores.open(
                postgres.dataSource(), Schema.DEFAULT, Route.named("main").fromBeginning(), "r");
        LogFiller.fillLog(postgres, ROWS);
    }

    @Test
    void aLongBacklogIsEstimatedAndSaysSo() throws SQLException {
        long rows = Long.parseLong(
                postgres.rows("SELECT count(*) FROM posthorn.outbox").get(0));

        Count waiting = new PostgresFigures(postgres.dataSource(), Schema.DEFAULT)
                .routes()
                .get(0)
                .waiting();

        assertThat(waiting.exact()).isFalse();
        assertThat(waiting.number()).isBetween(rows * 9 / 10, rows * 11 / 10);
    }

    @Test
    void aTransactionThatStaysOpenMakesNoDifference() throws SQLException {
        int most = PostgresFigures.MOST_COUNTED + 1;
        try (Connection open = postgres.transaction()) {
            TestPostgres.rows(open, "SELECT posthorn.emit('shop', 'placed', '{}')");
            postgres.run("WITH f AS (INSERT INTO posthorn.flush (relay, snapshots)"
                    + " VALUES ('r', ARRAY[pg_current_snapshot()]) RETURNING id)"
                    + " INSERT INTO posthorn.checkpoint (route, lane, snapshot, n, flush, position)"
                    + " SELECT 1, lane, 1, 1000, id, (SELECT max(seq) FROM posthorn.outbox)"
                    + " FROM f CROSS JOIN generate_series(0, 15) lane");
            LogFiller.fillLog(postgres, 20_000);

            assertThat(rowsOf("figures_lanes", most, most, most, most, most, most, most, most))
                    .isLessThan(MOST);

            open.rollback();
        } finally {
            postgres.run("DELETE FROM posthorn.checkpoint WHERE n = 1000");
        }
    }

    @Test
    void noStatementLooksAtMoreThanTheLimit() throws SQLException {
        int most = PostgresFigures.MOST_COUNTED + 1;
        assertThat(rowsOf("figures_lanes", most, most, most, most, most, most, most, most))
                .isBetween((long) most, MOST);
        assertThat(rowsOf("figures_dead", most, most)).isLessThan(MOST);
    }

    /** How many rows the statement's scans gave and passed over, all their loops together. */
    private static long rowsOf(String name, int... limits) throws SQLException {
        String sql = Sql.load(name, Schema.DEFAULT);
        for (int limit : limits) {
            sql = sql.replaceFirst("\\?", Integer.toString(limit));
        }
        try (Connection connection = postgres.transaction()) {
            TestPostgres.rows(connection, PlainPlans.SET_LOCAL);
            List<String> plan = TestPostgres.rows(connection, "EXPLAIN (ANALYZE, TIMING OFF) " + sql);
            connection.rollback();
            long rows = 0;
            long loops = 1;
            for (String line : plan) {
                Matcher actual = ACTUAL.matcher(line);
                Matcher removed = REMOVED.matcher(line);
                if (actual.find()) {
                    assertThat(line).doesNotContain("Seq Scan on outbox");
                    loops = Long.parseLong(actual.group(3));
                    rows += Math.round(Double.parseDouble(actual.group(2)) * loops);
                } else if (removed.find()) {
                    rows += Long.parseLong(removed.group(1)) * loops;
                }
            }
            return rows;
        }
    }
}
