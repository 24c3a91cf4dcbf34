package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.Cursor;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.Snapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a look at the log costs is bounded by what it brings, not by how long the log is or who keeps a transaction open. */
class ReadCostTest {

    /** The key k1 has thousands of rows, so that reading all of them would show. */
    private static final int ROWS = TestSize.of(20_000, 200_000, 2_000_000);

    private static final String LANES = "'{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}'";
    private static final Pattern BUFFERS = Pattern.compile("\"Shared (?:Hit|Read) Blocks\": (\\d+)");
    private static final Pattern MILLIS = Pattern.compile("\"Execution Time\": ([\\d.]+)");

    private static TestPostgres postgres;

    @BeforeAll
    static void fill() throws SQLException {
        postgres = TestPostgres.migrated();
        PostgresRelayStores.open(
                postgres.dataSource(), Schema.DEFAULT, Route.named("main").fromBeginning(), "r");
        LogFiller.fillLog(postgres, ROWS);
        postgres.run("INSERT INTO posthorn.outbox (domain, type, key) SELECT 'shop', 'hot', 'k1'"
                + " FROM generate_series(1, 5000)");
        postgres.run("VACUUM ANALYZE posthorn.outbox");
    }

    @Test
    void aLookThatFindsNothingCostsAFewPagesALaneBesideAnOpenWriter() throws SQLException {
        try (Connection writer = writerOpenSince(0)) {
            Cursor end = end();
            LogFiller.fillLog(postgres, 20_000);
            Cursor now = end();

            long idle = cost("read 16 lanes, nothing new, a writer open for 20,000 rows", "read_lanes", lanes(now));
            long behind = cost("read 16 lanes, 20,000 rows behind", "read_lanes", lanes(end));

            assertThat(idle).isLessThan(16 * 15);
            assertThat(behind).isLessThan(16 * 512 * 2);
            writer.rollback();
        }
    }

    @Test
    void aWriterOpenForTenThousandTransactionsCostsNoMore() throws SQLException {
        try (Connection writer = writerOpenSince(10_100)) {
            Cursor now = end();
            assertThat(now.snapshot().oldInProgress()).isNotEmpty();

            long idle = cost("read 16 lanes, a writer open for 10,000 transactions", "read_lanes", lanes(now));

            assertThat(idle).isLessThan(16 * 20);
            writer.rollback();
        }
    }

    @Test
    void theFirstPageOfManyLateRowsDoesNotReadTheLaneFromItsBeginning() throws SQLException {
        Cursor before;
        try (Connection writer = postgres.transaction()) {
            TestPostgres.run(
                    writer,
                    "INSERT INTO posthorn.outbox (domain, type, key) SELECT 'shop', 'late', 'k1'"
                            + " FROM generate_series(1, 1000)");
            LogFiller.fillLog(postgres, 500);
            before = end();
            writer.commit();
        }
        long cost = cost(
                "first page of 1,000 late rows",
                "read_pinned",
                List.of(
                        "smallint:" + laneOfKey(),
                        "bigint:" + before.position(),
                        text(before.snapshot()),
                        text(end().snapshot()),
                        "bigint:0",
                        "text:'" + before.snapshot().lateFloor() + "'",
                        "int:512",
                        "text[]:'{}'"));

        assertThat(cost).isLessThan(2_000);
    }

    @Test
    void theRestOfAKeyBlockedLongAgoDoesNotReadWhatTheLaneHasReadSince() throws SQLException {
        Cursor from;
        try (Connection writer = writerOpenSince(0)) {
            from = end();
            writer.rollback();
        }
        Cursor to = end();
        LogFiller.fillLog(postgres, ROWS / 2);

        long cost = cost(
                "window of a key blocked " + ROWS / 2 + " rows ago",
                "read_windows",
                List.of(
                        "smallint[]:'{" + laneOfKey() + "}'",
                        "smallint[]:'{0}'",
                        "text[]:'{k1}'",
                        "text[]:ARRAY['" + CursorText.of(from) + "']",
                        "text[]:ARRAY['" + CursorText.of(to) + "']",
                        "bigint[]:'{0}'",
                        "int[]:'{64}'",
                        "text[]:'{" + from.snapshot().lateFloor() + "}'",
                        "smallint[]:'{}'",
                        "text[]:'{}'"));

        assertThat(cost).isLessThan(20);
    }

    // ---- hands

    private static Connection writerOpenSince(int transactions) throws SQLException {
        Connection writer = postgres.transaction();
        TestPostgres.run(writer, "INSERT INTO posthorn.outbox (domain, type, key) VALUES ('shop', 'open', 'k1')");
        postgres.run("DO $$ BEGIN FOR i IN 1.." + transactions
                + " LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
        return writer;
    }

    private static Cursor end() throws SQLException {
        String[] row = postgres.rows("SELECT pg_current_snapshot(), max(seq) FROM posthorn.outbox")
                .get(0)
                .split("\\|", 2);
        return Cursor.at(new Snapshot(row[0]), Long.parseLong(row[1]));
    }

    private static String laneOfKey() throws SQLException {
        return postgres.rows("SELECT min(lane) FROM posthorn.outbox WHERE key = 'k1'")
                .get(0);
    }

    private static List<String> lanes(Cursor cursor) {
        List<Long> old = cursor.snapshot().oldInProgress();
        String oldLanes = old.isEmpty() ? "'{}'" : LANES;
        String oldOnes = old.isEmpty() ? "'{}'" : "array_fill('" + old.get(0) + "'::text, ARRAY[16])";
        return List.of(
                "smallint[]:" + LANES,
                "bigint[]:array_fill(" + cursor.position() + "::bigint, ARRAY[16])",
                "text[]:array_fill('" + cursor.snapshot() + "'::text, ARRAY[16])",
                "text[]:array_fill('" + cursor.snapshot().lateFloor() + "'::text, ARRAY[16])",
                "int[]:array_fill(512, ARRAY[16])",
                "int[]:array_fill(512, ARRAY[16])",
                "smallint[]:" + oldLanes,
                "bigint[]:" + (old.isEmpty() ? "'{}'" : "array_fill(" + cursor.position() + "::bigint, ARRAY[16])"),
                "int[]:" + (old.isEmpty() ? "'{}'" : "array_fill(512, ARRAY[16])"),
                "text[]:" + oldOnes);
    }

    private static String text(Snapshot snapshot) {
        return "text:'" + snapshot + "'";
    }

    /** Pages read or found by a run of the kept plan; the run before it fills the caches of the catalog. */
    private static long cost(String what, String name, List<String> arguments) throws SQLException {
        PlannedStatement statement = new PlannedStatement(PlannedStatement.Settings.PLAIN_PLANS, Set.of(), arguments);
        try (Connection connection = postgres.transaction()) {
            TestPostgres.rows(connection, PlainPlans.SET_LOCAL);
            TestPostgres.run(connection, "SET LOCAL plan_cache_mode = force_generic_plan");
            String sql = EventRows.withEvent(Sql.load(name, Schema.DEFAULT), Schema.DEFAULT);
            TestPostgres.run(connection, statement.prepare("costed", sql));
            String explain = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + statement.execute("costed");
            TestPostgres.rows(connection, explain);
            String plan = TestPostgres.rows(connection, explain).get(0);
            Matcher buffers = BUFFERS.matcher(plan);
            long pages = 0;
            for (int i = 0; i < 2 && buffers.find(); i++) {
                pages += Long.parseLong(buffers.group(1));
            }
            Matcher millis = MILLIS.matcher(plan);
            System.out.printf(
                    "%,d rows; %s: %,d pages, %s ms%n", ROWS, what, pages, millis.find() ? millis.group(1) : "?");
            TestPostgres.run(connection, "DEALLOCATE costed");
            return pages;
        }
    }
}
