package dev.posthorn.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Compares the versions of assets with what every service did about them, in SQL and by nothing else. */
final class OpenpawAuditor {

    /** An arrival belongs to the version that an author wrote: by its own event, by the event of its copy, or as its reward. */
    private static final String FINDINGS = """
            WITH written AS MATERIALIZED (
              SELECT event_id, site, asset_id, version FROM registry.asset_versions WHERE copy_of IS NULL
            ), known AS MATERIALIZED (
              SELECT event_id, 'created' AS what, event_id AS of FROM written
              UNION ALL
              SELECT c.event_id, 'copied', w.event_id FROM registry.asset_versions c JOIN written w ON w.event_id = c.copy_of
            ), effect AS MATERIALIZED (
              SELECT a.n, k.what, k.of, a.site, a.asset_id, a.version
              FROM reputation.arrivals a LEFT JOIN known k USING (event_id) WHERE a.type = 'asset.version.created'
              UNION ALL
              SELECT a.n, CASE WHEN w.event_id IS NOT NULL THEN 'settled' END, w.event_id, NULL, a.asset_id, a.version
              FROM reputation.arrivals a LEFT JOIN written w USING (site, asset_id, version) WHERE a.type = 'reward.settled'
            ), ordered AS (
              SELECT version, max(version) OVER (PARTITION BY site, asset_id ORDER BY n
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest_before
              FROM effect WHERE what IN ('created', 'copied')
            ), more (extra) AS (
              SELECT count(*) - 1 FROM effect WHERE what IS NOT NULL GROUP BY what, of
              UNION ALL SELECT count(*) - 1 FROM rewards.ledger_entries GROUP BY site, asset_id, version
              UNION ALL SELECT count(*) - 1 FROM registry.asset_versions WHERE copy_of IS NOT NULL GROUP BY copy_of
              UNION ALL SELECT count(*) - 1 FROM openpaw.workflow_runs GROUP BY idempotency_key
            ), settled AS MATERIALIZED (
              SELECT site, asset_id, version FROM rewards.ledger_entries JOIN (
                SELECT site, asset_id, version, count(*) AS kinds, sum(points) - 1 AS amount
                FROM reputation.points GROUP BY site, asset_id, version
              ) AS p USING (site, asset_id, version, amount)
              WHERE p.kinds = 2
            )
            SELECT
              3 * (SELECT count(*) FROM written),
              (SELECT count(DISTINCT (what, of)) FROM effect WHERE what IS NOT NULL),
              (SELECT count(*) FROM effect WHERE what IS NULL)
                + (SELECT count(*) FROM rewards.ledger_entries e LEFT JOIN written w USING (site, asset_id, version)
                   WHERE w.event_id IS NULL),
              (SELECT coalesce(sum(extra), 0) FROM more),
              (SELECT count(*) FROM ordered WHERE version < highest_before),
              (SELECT count(*) FROM written LEFT JOIN settled s USING (site, asset_id, version) WHERE s.site IS NULL)
            """;

    private static final String TRACES = """
            WITH arrival AS (
              SELECT a.type, o.seq,
                     max(o.seq) FILTER (WHERE a.type = 'asset.version.created') OVER before AS created,
                     max(o.seq) FILTER (WHERE a.type = 'reward.settled') OVER before AS settled
              FROM reputation.arrivals a JOIN posthorn.outbox o ON o.id = a.event_id
              WINDOW before AS (ORDER BY a.n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            )
            SELECT
              (SELECT count(delivered_at) FROM openpaw.outbox),
              (SELECT count(*) FROM openpaw.inbox),
              (SELECT count(*) FROM openpaw.workflow_runs),
              (SELECT count(*) FROM openpaw.workflow_step_logs),
              (SELECT count(*) FROM arrival WHERE seq < CASE type WHEN 'reward.settled' THEN created ELSE settled END)
            """;

    private OpenpawAuditor() {}

    /**
     * Of each version that an author wrote there should be three events: that it was created, that its copy was, and that its reward is
     * settled. Arrived are those with an effect in the projection. Copies of copies are invented; twice are also ledger entries,
     * copies and workflow runs beyond the first; amiss are versions without their ledger entry or their points.
     */
    static ExampleFindings audit(Connection connection) throws SQLException {
        return ExampleFindings.of(
                connection, "registry.asset_versions, reputation.arrivals, reputation.points", FINDINGS);
    }

    static OpenpawTraces traces(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(TRACES)) {
            row.next();
            return new OpenpawTraces(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
        }
    }

    /** How much the services have done so far, in any unit that grows. */
    static long effects(Connection connection) throws SQLException {
        return number(
                connection,
                "SELECT (SELECT count(*) FROM reputation.arrivals) + (SELECT count(*) FROM rewards.ledger_entries)"
                        + " + (SELECT count(*) FROM openpaw.inbox)");
    }

    /** How much it will be: three arrivals, a ledger entry, and seven marks of the three services for each version. */
    static long expected(Connection connection) throws SQLException {
        return number(connection, "SELECT 11 * count(*) FROM registry.asset_versions WHERE copy_of IS NULL");
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
