package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** A log of one lane with a route on it, whose cursor the test moves by hand as a relay would. */
final class StatusFixture {

    static final String ROUTE = "orders";

    final TestPostgres postgres = TestPostgres.empty();

    StatusFixture() throws SQLException {
        new Migrations(Schema.DEFAULT, 1).migrate(postgres.dataSource());
        postgres.run("INSERT INTO posthorn.route (name) VALUES ('" + ROUTE + "')");
    }

    /** An event without a key. */
    Row emit() throws SQLException {
        return emit("NULL", "NULL");
    }

    Row emitWithKey(String key) throws SQLException {
        return emit("'" + key + "'", "NULL");
    }

    Row emitFor(String time) throws SQLException {
        return emit("'scheduled'", time);
    }

    private Row emit(String key, String deliverAfter) throws SQLException {
        try (Connection connection = postgres.dataSource().getConnection()) {
            return emit(connection, key, deliverAfter);
        }
    }

    Row emit(Connection connection, String key, String deliverAfter) throws SQLException {
        String[] row = TestPostgres.rows(
                        connection,
                        "INSERT INTO posthorn.outbox (domain, type, key, deliver_after) VALUES ('shop', 'placed', "
                                + key + ", " + deliverAfter + ") RETURNING id, seq")
                .get(0)
                .split("\\|", -1);
        return new Row(UUID.fromString(row[0]), Long.parseLong(row[1]));
    }

    /** The cursor passes everything that is visible now; the flush is so many minutes after midnight. */
    void checkpoint(int n) throws SQLException {
        checkpoint(
                n, "(SELECT coalesce(max(seq), 0) FROM posthorn.outbox)", "ARRAY[pg_current_snapshot()]", "NULL, NULL");
    }

    /** Any cursor; {@code pinAndLate} are the index of the pinned snapshot and the last late seq. */
    void checkpoint(int n, String position, String snapshots, String pinAndLate) throws SQLException {
        postgres.run("WITH f AS (INSERT INTO posthorn.flush (at, relay, snapshots) VALUES ("
                + "timestamptz '2026-01-01 00:00Z' + interval '1 minute' * " + n + ", 'test', " + snapshots
                + ") RETURNING id) INSERT INTO posthorn.checkpoint (route, lane, snapshot, n, flush, position, pin, late)"
                + " SELECT 1, 0, 1, " + n + ", id, " + position + ", " + pinAndLate + " FROM f");
    }

    /** The key waits: its range begins at the cursor of checkpoint {@code from} and ends at that of {@code to}. */
    void blockKey(String key, int from, int to, String rest) throws SQLException {
        postgres.run("INSERT INTO posthorn.blocked_key (route, lane, key, \"from\", \"to\", passed, head, attempts,"
                + " next_attempt, last_error, held) VALUES (1, 0, '" + key + "', " + cursor(from) + ", " + cursor(to)
                + ", " + rest + ")");
    }

    private static String cursor(int n) {
        return "(SELECT posthorn.cursor_of(c, f.snapshots) FROM posthorn.checkpoint c JOIN posthorn.flush f"
                + " ON f.id = c.flush WHERE c.n = " + n + ")";
    }

    void detour(Row row, String kind, int attempts, String due) throws SQLException {
        postgres.run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, due, last_error)"
                + " SELECT 1, lane, seq, '" + kind + "', id, key, " + attempts + ", " + due
                + ", 'why ' || repeat('x', 2000) FROM posthorn.outbox WHERE id = '" + row.id() + "'");
    }

    /** state, minutes after midnight of published_at, attempts. */
    List<String> status(Row row) throws SQLException {
        return postgres.rows("SELECT state, extract(epoch FROM published_at - '2026-01-01 00:00Z')::int / 60, attempts"
                + " FROM posthorn.outbox_status WHERE id = '" + row.id() + "'");
    }

    String state(Row row) throws SQLException {
        return postgres.rows("SELECT state FROM posthorn.outbox_status WHERE id = '" + row.id() + "'")
                .get(0);
    }

    /** An event in the log. */
    record Row(UUID id, long seq) {}
}
