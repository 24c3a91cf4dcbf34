package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The state of one event is found by a bounded number of index lookups, however long the log and its audit are. */
@Tag("slow")
class OutboxStatusBySizeTest {

    private static final String SIZE = System.getProperty("posthorn.size", "normal");
    private static final int ROWS = bySize(20_000, 200_000, 5_000_000);
    private static final int CHECKPOINTS = bySize(2_000, 5_000, 50_000);
    private static final int LATE_SEEN_AT = CHECKPOINTS * 9 / 10;
    private static final int BUFFERS_AT_MOST = 500;
    private static final double MILLIS_AT_MOST = 5;

    private static final Pattern BUFFERS = Pattern.compile("\"Shared (Hit|Read) Blocks\": (\\d+)");
    private static final Pattern SEQ_SCAN =
            Pattern.compile("\"Node Type\": \"Seq Scan\"[^}]*?\"Relation Name\": \"(\\w+)\"");

    private static TestPostgres postgres;
    private static String lateId;

    /** One row commits when nine tenths of the checkpoints are written; the others commit before all of them. */
    @BeforeAll
    static void fillTheLog() throws SQLException {
        postgres = TestPostgres.migrated();
        postgres.run("INSERT INTO posthorn.route (name) VALUES ('orders')");
        try (Connection slow = postgres.transaction()) {
            lateId = TestPostgres.rows(
                            slow, "INSERT INTO posthorn.outbox (domain, type) VALUES ('shop', 'late') RETURNING id")
                    .get(0);
            postgres.run(
                    "INSERT INTO posthorn.outbox (domain, type, key, payload) SELECT 'shop', 'placed', 'k' || i % 9973,"
                            + " convert_to(repeat('x', 200), 'UTF8') FROM generate_series(2, " + ROWS + ") i");
            writeCheckpoints(0, LATE_SEEN_AT - 1);
            slow.commit();
        }
        writeCheckpoints(LATE_SEEN_AT, CHECKPOINTS);
        fillTheTablesBeside();
        postgres.run("VACUUM ANALYZE");
    }

    /** With rows of other events, so that reading one of these tables whole would show. */
    private static void fillTheTablesBeside() throws SQLException {
        String many = " FROM generate_series(1, 20000) i";
        postgres.run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id) SELECT 1, i % 16, i + " + ROWS
                + ", 'FAILED', gen_random_uuid()" + many);
        postgres.run("INSERT INTO posthorn.blocked_key (route, lane, key, \"from\", \"to\", passed, attempts)"
                + " SELECT 1, i % 16, 'blocked' || i, c, c, 0, 1" + many
                + ", LATERAL (SELECT ROW(pg_current_snapshot(), i, NULL, NULL)::posthorn.log_cursor AS c) cursor");
        postgres.run("INSERT INTO posthorn.attempt (route, seq, attempt, relay, event_id, outcome)" + " SELECT 1, i + "
                + ROWS + ", 1, 'test', gen_random_uuid(), 'failed'" + many);
        postgres.run("INSERT INTO posthorn.operator_action (action, route, target, rows)"
                + " SELECT 'discard', 1, gen_random_uuid()::text, 1" + many);
    }

    private static void writeCheckpoints(int from, int to) throws SQLException {
        postgres.run("WITH f AS (INSERT INTO posthorn.flush (at, relay, snapshots) SELECT timestamptz '2026-01-01Z'"
                + " + n * interval '1 second', 'test', ARRAY[pg_current_snapshot()]"
                + " FROM generate_series(" + from + ", " + to + ") n RETURNING id, at)"
                + " INSERT INTO posthorn.checkpoint (route, lane, snapshot, n, flush, position)"
                + " SELECT 1, lane, 1, n, id, n * " + ROWS + "::bigint / " + CHECKPOINTS
                + " FROM f, generate_series(0, 15) lane, extract(epoch FROM at - '2026-01-01Z') n");
    }

    @Test
    void theStateOfAnyEventIsFoundByIndexAndWithinABound() throws SQLException {
        for (String id : ids()) {
            // When
            String plan = explain(id);

            // Then
            assertThat(SEQ_SCAN.matcher(plan).results().map(scan -> scan.group(1)))
                    .as("tables read whole")
                    .isSubsetOf("route");
            assertThat(buffers(plan)).isPositive().isLessThan(BUFFERS_AT_MOST);
        }
    }

    @Test
    void theLateRowWasPublishedWhenItWasSeen() throws SQLException {
        assertThat(postgres.rows("SELECT state, extract(epoch FROM published_at - '2026-01-01Z')::int"
                        + " FROM posthorn.outbox_status WHERE id = '" + lateId + "'"))
                .containsExactly("SENT|" + LATE_SEEN_AT);
    }

    @Test
    void everyHundredthOfTheRowsWasPublishedWhenItsPositionWasPassed() throws SQLException {
        assertThat(postgres.rows("SELECT seq, published_at FROM posthorn.outbox_status"
                        + " WHERE type = 'placed' AND seq % " + (ROWS / 100) + " = 0"
                        + " AND extract(epoch FROM published_at - '2026-01-01Z') <> ceil(seq * " + CHECKPOINTS + ".0 / "
                        + ROWS + ")"))
                .isEmpty();
    }

    @Test
    void theStateByIdIsFast() throws SQLException {
        // Given
        List<String> ids = ids();
        double[] millis = new double[2_000];
        double[] first = new double[10];

        // When
        try (Connection connection = postgres.dataSource().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT * FROM posthorn.outbox_status WHERE id = ?")) {
            // The first calls of a session load catalogs, and the driver has them planned each time.
            for (int i = 0; i < first.length; i++) {
                first[i] = timed(statement, ids.get(i % ids.size()));
            }
            for (int i = 0; i < millis.length; i++) {
                millis[i] = timed(statement, ids.get(i % ids.size()));
            }
        }

        // Then
        Arrays.sort(millis);
        double median = millis[millis.length / 2];
        double p99 = millis[millis.length * 99 / 100];
        System.out.printf(
                "outbox_status by id: %,d rows, %,d checkpoints a lane: median %.2f ms, p99 %.2f ms, %d buffers;"
                        + " first calls of a session %s ms%n",
                ROWS, CHECKPOINTS, median, p99, buffers(explain(lateId)), Arrays.toString(first));
        if (SIZE.equals("soak")) {
            assertThat(median).isLessThan(MILLIS_AT_MOST);
        }
    }

    private static double timed(PreparedStatement statement, String id) throws SQLException {
        long start = System.nanoTime();
        statement.setObject(1, UUID.fromString(id));
        try (ResultSet result = statement.executeQuery()) {
            assertThat(result.next()).isTrue();
        }
        return (System.nanoTime() - start) / 1e6;
    }

    /** The late one, the first, the last and some between. */
    private static List<String> ids() throws SQLException {
        List<String> ids = new ArrayList<>(
                postgres.rows(
                        "SELECT id FROM posthorn.outbox WHERE lane = 3 AND seq IN"
                                + " ((SELECT min(seq) FROM posthorn.outbox WHERE lane = 3), (SELECT max(seq) FROM posthorn.outbox WHERE lane = 3))"));
        ids.addAll(postgres.rows("SELECT id FROM posthorn.outbox TABLESAMPLE SYSTEM (1) REPEATABLE (1) LIMIT 20"));
        ids.add(lateId);
        return ids;
    }

    /** Run twice on one connection: the first call also reads the catalog for its plans. */
    private static String explain(String id) throws SQLException {
        String sql =
                "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM posthorn.outbox_status WHERE id = '" + id + "'";
        try (Connection connection = postgres.dataSource().getConnection()) {
            TestPostgres.rows(connection, sql);
            return TestPostgres.rows(connection, sql).get(0);
        }
    }

    /** Of the topmost node, which counts what is below it and inside the functions it calls. */
    private static int buffers(String plan) {
        Matcher matcher = BUFFERS.matcher(plan);
        int hitAndRead = 0;
        for (int i = 0; i < 2 && matcher.find(); i++) {
            hitAndRead += Integer.parseInt(matcher.group(2));
        }
        return hitAndRead;
    }

    private static int bySize(int fast, int normal, int soak) {
        return switch (SIZE) {
            case "fast" -> fast;
            case "soak" -> soak;
            default -> normal;
        };
    }
}
