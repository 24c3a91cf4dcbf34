package dev.posthorn.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** A database with dead events of routes and dead letters of consumers, made as relays and consumers would. */
final class DeadFixture {

    final TestPostgres postgres = TestPostgres.migrated();
    final PostgresDeadDesk desk = new PostgresDeadDesk(postgres.dataSource(), Schema.DEFAULT);

    DeadFixture() throws SQLException {
        postgres.run("INSERT INTO posthorn.route (name) VALUES ('main'), ('audit')");
    }

    /** An event of the log. */
    UUID event(String domain, String type, String key, String tenant) throws SQLException {
        return UUID.fromString(
                rows("INSERT INTO posthorn.outbox (domain, type, key, tenant, headers, payload) VALUES ('"
                                + domain + "', '" + type + "', '" + key + "', '" + tenant
                                + "', '{\"h\": \"1\"}', '\\x00ff') RETURNING id")
                        .get(0));
    }

    /** It is FAILED there. */
    void fail(String route, UUID event, String error) throws SQLException {
        postgres.run(
                "INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, last_error) SELECT r.id,"
                        + " o.lane, o.seq, 'FAILED', o.id, o.key, 3, '" + error
                        + "' FROM posthorn.outbox o, posthorn.route r"
                        + " WHERE o.id = '" + event + "' AND r.name = '" + route + "'");
    }

    /** It died in a handler. Answers the letter. */
    UUID die(String consumer, String handler, UUID event, String cause, String reason) throws SQLException {
        UUID letter = UUID.randomUUID();
        postgres.run("SELECT posthorn.keep_letter(ROW('" + letter + "', NULL, NULL, '" + consumer + "', '" + handler
                + "', 'consumer', 'test', o.id, o.domain, o.type, o.key, o.tenant, '" + cause + "', '" + reason
                + "', '{\"error\": \"x\"}', NULL, 'mend it', 3, NULL, NULL, '{\"h\": \"1\"}', '\\x00ff',"
                + " '{\"topic\": \"t\"}', clock_timestamp(), NULL)::posthorn.dead_letter) FROM posthorn.outbox o WHERE o.id = '"
                + event + "'");
        return letter;
    }

    /** So many letters of one consumer, whose events are not in the log; ten keys, four fingerprints. */
    void die(int many) throws SQLException {
        postgres.run(
                "INSERT INTO posthorn.dead_letter (id, consumer, handler, kind, component, event_id, domain, type, key,"
                        + " cause, reason, details, fingerprint, remedy, attempts, headers, body, metadata, occurred_at)"
                        + " SELECT gen_random_uuid(), 'billing', 'bill', 'consumer', 'c', gen_random_uuid(), 'shop', 'placed',"
                        + " 'k' || i % 10, 'rejected', 'no ' || i, '{}', 'no ' || i % 4, 'mend', 1, '{}',"
                        + " convert_to(repeat('x', 2000), 'UTF8'), '{}', clock_timestamp() FROM generate_series(1, "
                        + many
                        + ") i");
        postgres.run("ANALYZE posthorn.dead_letter");
    }

    /** A handler has handled it. */
    void handle(String consumer, String handler, UUID event) throws SQLException {
        postgres.run("INSERT INTO posthorn.inbox (event_id, consumer, handler) VALUES ('" + event + "', '" + consumer
                + "', '" + handler + "')");
    }

    List<String> rows(String sql) throws SQLException {
        return postgres.rows(sql);
    }

    /** Letters by state. */
    List<String> states() throws SQLException {
        return rows("SELECT state, count(*) FROM posthorn.dead_letter GROUP BY state ORDER BY state");
    }

    /** All pages. */
    static DeadRun whole(DeadRun run) {
        while (!run.isOver()) {
            run.runOnce();
        }
        return run;
    }
}
