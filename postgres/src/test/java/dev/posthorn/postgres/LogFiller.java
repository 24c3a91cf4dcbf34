package dev.posthorn.postgres;

import java.sql.SQLException;

/** Fills every table that grows, as a long life of the log would. */
final class LogFiller {

    private static final int ROWS_OF_A_TRANSACTION = 500;

    private LogFiller() {}

    /** Every table, once; the log in many transactions, as producers do. */
    static void fill(TestPostgres postgres, int rows) throws SQLException {
        fillLog(postgres, rows);
        fillBeside(postgres, rows / 10);
    }

    /** More of the log, in many transactions. */
    static void fillLog(TestPostgres postgres, int rows) throws SQLException {
        postgres.run("DO $$ BEGIN FOR i IN 1.." + rows / ROWS_OF_A_TRANSACTION + " LOOP "
                + outbox(ROWS_OF_A_TRANSACTION) + "; COMMIT; END LOOP; END $$");
    }

    /** Every table, once; the log in one transaction, so that one value of tx is all that statistics know. */
    static void fillAtOnce(TestPostgres postgres, int rows) throws SQLException {
        postgres.run(outbox(rows));
        fillBeside(postgres, rows / 10);
    }

    private static String outbox(int rows) {
        return "INSERT INTO posthorn.outbox (domain, type, key, payload) SELECT 'shop', 'placed',"
                + " CASE WHEN n % 10 > 0 THEN 'k' || (random() * 9999)::int END, convert_to(repeat('x', 100), 'UTF8')"
                + " FROM generate_series(1, " + rows + ") n";
    }

    private static void fillBeside(TestPostgres postgres, int rows) throws SQLException {
        String many = " FROM generate_series(1, " + rows + ") i";
        postgres.run("WITH f AS (INSERT INTO posthorn.flush (relay, snapshots) SELECT 'r', ARRAY[pg_current_snapshot()]"
                + " FROM generate_series(1, " + rows / 16 + ") RETURNING id)"
                + " INSERT INTO posthorn.checkpoint (route, lane, snapshot, n, flush, position)"
                + " SELECT 1, lane, 1, 1000 + row_number() OVER (PARTITION BY lane), id, id"
                + " FROM f CROSS JOIN generate_series(0, 15) lane");
        postgres.run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, due)"
                + " SELECT 1, i % 16, i, CASE WHEN i % 2 = 0 THEN 'FAILED' ELSE 'SCHEDULED' END, gen_random_uuid(),"
                + " CASE WHEN i % 2 = 1 THEN now() + i * interval '1 second' - interval '60 seconds' END" + many);
        postgres.run("INSERT INTO posthorn.blocked_key (route, lane, key, \"from\", \"to\", passed, attempts)"
                + " SELECT 1, i % 16, 'k' || i, c, c, 0, 1" + many
                + ", LATERAL (SELECT ROW(pg_current_snapshot(), i, NULL, NULL)::posthorn.log_cursor AS c) cursor");
        postgres.run("INSERT INTO posthorn.attempt (route, relay, seq, event_id, attempt, outcome)"
                + " SELECT 1, 'r', i, gen_random_uuid(), 1, 'failed'" + many);
        fillConsumers(postgres, many);
    }

    private static void fillConsumers(TestPostgres postgres, String many) throws SQLException {
        postgres.run(
                "INSERT INTO posthorn.inbox (event_id, consumer, handler) SELECT gen_random_uuid(), 'billing', 'bill'"
                        + many);
        postgres.run(
                "INSERT INTO posthorn.dead_letter (id, consumer, handler, kind, component, event_id, domain, type, key,"
                        + " cause, reason, details, fingerprint, remedy, attempts, headers, body, metadata, occurred_at, state)"
                        + " SELECT gen_random_uuid(), 'billing', 'bill', 'consumer', 'c', gen_random_uuid(), 'shop', 'placed', 'k' || i,"
                        + " 'rejected', 'no', '{}', 'no', 'mend', 1, '{}', '', '{}', now() + i * interval '1 second',"
                        + " CASE WHEN i % 4 = 0 THEN 'HANDLED' ELSE 'DEAD' END" + many);
    }
}
