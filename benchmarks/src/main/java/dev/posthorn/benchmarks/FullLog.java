package dev.posthorn.benchmarks;

import java.sql.SQLException;

/**
 * A log as a console may find it: full of events that were published long ago, with a backlog, and with much of everything that
 * went wrong. The server makes it up by itself.
 *
 * <p>Of four routes one is at the end of the log, two lack the last 4 %, and one has come half way. 2 % of the events are dead, half
 * on a route and half in consumers. One in a hundred has the key {@code hot}, which is blocked with up to 2,000 others.
 */
final class FullLog {

    private static final int IN_A_TRANSACTION = 500;
    private static final int SLICE = 250_000;

    /** How long ago event i was emitted: ten a second, the last one now. */
    private static final String AGO = "(%1$d - i) * interval '100 ms'";

    private static final String EVENTS = "DO $$ BEGIN FOR t IN %2$d..%3$d LOOP"
            + " INSERT INTO {schema}.outbox (domain, type, key, tenant, correlation_id, headers, payload, occurred_at, created_at)"
            + " SELECT 'domain-' || i %% 20, 'type-' || i %% 200, CASE i %% 100 WHEN 7 THEN 'hot' ELSE 'key-' || i %% %4$d END,"
            + " 'tenant-' || i %% 50, 'correlation-' || i / 10, '{\"source\": \"bench\"}',"
            + " convert_to('\"' || rpad('', %5$d, md5(i::text)) || '\"', 'UTF8'), clock_timestamp() - " + AGO
            + ", clock_timestamp() - " + AGO + " FROM generate_series(t * %6$d + 1, t * %6$d + %6$d) AS i; COMMIT;"
            + " END LOOP; END $$";

    /** Where a relay would have flushed: after each transaction, which then is visible. */
    private static final String STEPS = "CREATE TABLE {schema}.bench_step AS"
            + " SELECT 0::bigint AS seq, '3:3:'::pg_snapshot AS snapshot, clock_timestamp() - interval '90 days' AS at"
            + " UNION ALL SELECT o.seq, format('%%1$s:%%1$s:', o.tx::text::bigint + 1)::pg_snapshot, o.created_at + interval '1 s'"
            + " FROM {schema}.outbox AS o WHERE o.seq %% %2$d = 0";

    private static final String ROUTES = "INSERT INTO {schema}.route (name, domains, tenants, start) VALUES"
            + " ('main', NULL, NULL, 'beginning'), ('some', ARRAY['domain-1', 'domain-2'], NULL, 'beginning'),"
            + " ('tenant', NULL, ARRAY['tenant-7'], 'beginning'), ('behind', NULL, NULL, 'beginning')";

    private static final String LEASES = "INSERT INTO {schema}.lease (route, lane, owner, epoch, expires_at)"
            + " SELECT r.id, l.lane, 'relay-' || l.lane %% 3, 5, 'infinity'"
            + " FROM {schema}.route AS r, {schema}.log AS g, generate_series(0, g.lanes - 1) AS l (lane)";

    private static final String RELAYS = "INSERT INTO {schema}.relay (route, name, published)"
            + " SELECT r.id, 'relay-' || n, 1000 FROM {schema}.route AS r, generate_series(0, 2) AS n";

    private static final String FLUSHES =
            "INSERT INTO {schema}.flush (id, at, relay, snapshots) OVERRIDING SYSTEM VALUE"
                    + " SELECT r.id::bigint * 1000000000 + s.seq, s.at, 'relay-0', ARRAY[s.snapshot]"
                    + " FROM {schema}.bench_step AS s, {schema}.route AS r";

    private static final String CHECKPOINTS =
            "INSERT INTO {schema}.checkpoint (route, lane, snapshot, n, flush, position)"
                    + " SELECT r.id, l.lane, 1, s.seq / %2$d, r.id::bigint * 1000000000 + s.seq, s.seq"
                    + " FROM {schema}.route AS r JOIN {schema}.lease AS l ON l.route = r.id JOIN {schema}.bench_step AS s"
                    + " ON s.seq <= %1$d * CASE r.name WHEN 'tenant' THEN 1 WHEN 'behind' THEN 0.5 ELSE 0.96 END";

    private static final String DEAD_ON_ROUTE =
            "INSERT INTO {schema}.detour (route, lane, seq, kind, event_id, key, attempts, last_error, changed_at)"
                    + " SELECT 1, o.lane, o.seq, 'FAILED', o.id, o.key, 3,"
                    + " 'order ' || o.seq || ' is unknown in warehouse ' || chr(97 + (o.seq %% 23)::int), o.created_at + interval '9 s'"
                    + " FROM {schema}.outbox AS o WHERE o.seq %% 100 = 11 AND o.seq <= %1$d * 0.96";

    private static final String OFF_THE_WAY =
            "INSERT INTO {schema}.detour (route, lane, seq, kind, event_id, key, attempts, due)"
                    + " SELECT 1, o.lane, o.seq, CASE WHEN o.seq %% 800 = 12 THEN 'SCHEDULED' ELSE 'REDRIVE' END, o.id, o.key, 1, 'infinity'"
                    + " FROM {schema}.outbox AS o WHERE o.seq %% 800 IN (12, 92) AND o.seq <= %1$d * 0.96";

    private static final String ATTEMPTS =
            "INSERT INTO {schema}.attempt (route, seq, attempt, at, relay, event_id, outcome, error)"
                    + " SELECT d.route, d.seq, n, d.changed_at - (4 - n) * interval '1 s', 'relay-0', d.event_id, 'FAILED', d.last_error"
                    + " FROM {schema}.detour AS d, generate_series(1, 3) AS n WHERE d.kind = 'FAILED'";

    /** Each waits for its first event after nine tenths of the log. */
    private static final String BLOCKED =
            "INSERT INTO {schema}.blocked_key (route, lane, key, \"from\", \"to\", passed, head, attempts, next_attempt, last_error, held)"
                    + " SELECT 1, first.lane, k.key, ROW(s.snapshot, s.seq, NULL, NULL)::{schema}.log_cursor,"
                    + " ROW(s.snapshot, s.seq, NULL, NULL)::{schema}.log_cursor, s.seq, first.seq, 3, 'infinity', 'timed out', k.n %% 4 = 0"
                    + " FROM (SELECT n, CASE n WHEN 0 THEN 'hot' ELSE 'key-' || n END AS key FROM generate_series(0, 2000) AS n) AS k"
                    + " CROSS JOIN (SELECT * FROM {schema}.bench_step WHERE seq <= %1$d * 0.9 ORDER BY seq DESC LIMIT 1) AS s"
                    + " CROSS JOIN LATERAL (SELECT o.seq, o.lane FROM {schema}.outbox AS o"
                    + " WHERE o.key = k.key AND o.seq > s.seq ORDER BY o.seq LIMIT 1) AS first";

    private static final String CONSUMERS =
            "INSERT INTO {schema}.consumer (name) SELECT 'consumer-' || n FROM generate_series(1, 5) AS n";

    private static final String MEMBERS =
            "INSERT INTO {schema}.consumer_member (consumer, member, handled, skipped, retried,"
                    + " dead, lag_p50_ms, lag_p99_ms, handler_p99_ms)"
                    + " SELECT 'consumer-' || n, 'member-' || m, 100, 1, 2, 3, 4, 5, 6 FROM generate_series(1, 5) AS n, generate_series(1, 4) AS m";

    private static final String HANDLED = "INSERT INTO {schema}.inbox (event_id, consumer, handler, handled_at)"
            + " SELECT o.id, 'consumer-' || o.seq %% 5 + 1, 'handle', o.created_at + interval '2 s'"
            + " FROM {schema}.outbox AS o WHERE o.seq %% 10 = 3";

    private static final String DEAD_IN_CONSUMERS =
            "INSERT INTO {schema}.dead_letter (id, consumer, handler, kind, component, event_id, domain, type, key, tenant, cause,"
                    + " reason, details, fingerprint, remedy, attempts, headers, body, metadata, occurred_at)"
                    + " SELECT gen_random_uuid(), 'consumer-' || o.seq / 100 %% 5 + 1, 'handle', 'consumer', 'bench', o.id, o.domain, o.type,"
                    + " o.key, o.tenant, 'rejected', why.reason, '{}', {schema}.fingerprint(why.reason), 'mend it', 3, '{}', o.payload, '{}',"
                    + " o.created_at + interval '9 s' FROM {schema}.outbox AS o CROSS JOIN LATERAL"
                    + " (SELECT 'order ' || o.seq || ' has no address in ' || chr(97 + (o.seq %% 23)::int) AS reason) AS why"
                    + " WHERE o.seq %% 100 = 14";

    private static final String AUDIT =
            "INSERT INTO {schema}.operator_action (at, who, action, route, target, reason, rows)"
                    + " SELECT clock_timestamp() - (50001 - n) * interval '1 min', 'ann-' || n %% 20,"
                    + " (ARRAY['redrive', 'discard', 'pause', 'resume'])[n %% 4 + 1], 1, gen_random_uuid()::text, 'because', 1"
                    + " FROM generate_series(1, 50000) AS n";

    private static final String REPLAYS =
            "INSERT INTO {schema}.replay (target_kind, target, snapshot, state, position, \"end\", done, \"of\", types)"
                    + " SELECT 'route', 'main', '9:9:', (ARRAY['DONE', 'CANCELLED', 'FAILED', 'RUNNING'])[n %% 4 + 1], 1000, 5000, 100, 200,"
                    + " ARRAY['type-' || n] FROM generate_series(1, 200) AS n";

    private final BenchContext context;
    private final int events;

    FullLog(BenchContext context) {
        this.context = context;
        this.events = Math.max(1, context.options().events() / IN_A_TRANSACTION) * IN_A_TRANSACTION;
    }

    /** How many events there are, their seqs being 1 to that. */
    int events() {
        return events;
    }

    /** Leaves nothing of it to be done later. */
    void fill() throws SQLException {
        for (int from = 0; from < events; from += SLICE) {
            int to = Math.min(events, from + SLICE);
            emit(from / IN_A_TRANSACTION, to / IN_A_TRANSACTION - 1);
            context.say("%,d of %,d events", to, events);
        }
        run(STEPS, ROUTES, LEASES, RELAYS, FLUSHES, CHECKPOINTS);
        context.say("routes that have published most of them");
        run(DEAD_ON_ROUTE, OFF_THE_WAY, ATTEMPTS, BLOCKED);
        run(CONSUMERS, MEMBERS, HANDLED, DEAD_IN_CONSUMERS, AUDIT, REPLAYS);
        context.say("dead letters, blocked keys, consumers, attempts, replays and an audit");
        run("DROP TABLE {schema}.bench_step", "VACUUM (ANALYZE)", "CHECKPOINT");
    }

    private void emit(int first, int last) throws SQLException {
        int letters = Math.max(0, context.options().payload() - 2);
        context.run(String.format(EVENTS, events, first, last, context.options().keys(), letters, IN_A_TRANSACTION));
    }

    private void run(String... statements) throws SQLException {
        for (String statement : statements) {
            context.run(String.format(statement, events, IN_A_TRANSACTION));
        }
    }
}
