package dev.posthorn.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Compares the transfers with what every service did about them, in SQL and by nothing else. */
final class TransfersAuditor {

    private static final String FINDINGS = """
            WITH course (what, n) AS (VALUES ('submitted.usdc', 1), ('accepted', 2), ('settled', 3)
            ), expected AS MATERIALIZED (
              SELECT t.id AS transfer_id, c.what, c.n FROM cts.transfer t CROSS JOIN course c
            ), effect AS MATERIALIZED (
              SELECT p.n AS at, p.transfer_id, p.what, e.n,
                     row_number() OVER (PARTITION BY p.transfer_id, p.what ORDER BY p.n) AS nth
              FROM projections.timeline p LEFT JOIN expected e USING (transfer_id, what)
            ), ordered AS (
              SELECT n, max(n) OVER (PARTITION BY transfer_id ORDER BY at
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest_before
              FROM effect WHERE n IS NOT NULL AND nth = 1
            ), more (extra) AS (
              SELECT count(*) - 1 FROM effect WHERE n IS NOT NULL GROUP BY transfer_id, what
              UNION ALL SELECT count(*) - 1 FROM rail.payment GROUP BY transfer_id
              UNION ALL SELECT count(*) - 1 FROM gateway.submission GROUP BY transfer_id
              UNION ALL SELECT count(*) - 1 FROM cts.timeline GROUP BY transfer_id, what
            )
            SELECT
              (SELECT count(*) FROM expected),
              (SELECT count(*) FROM ordered),
              (SELECT count(*) FROM effect WHERE n IS NULL)
                + (SELECT count(*) FROM rail.payment p WHERE NOT EXISTS (
                    SELECT FROM cts.transfer t WHERE t.id = p.transfer_id AND t.amount = p.amount)),
              (SELECT coalesce(sum(extra), 0) FROM more),
              (SELECT count(*) FROM ordered WHERE n < highest_before),
              (SELECT count(*) FROM cts.transfer t WHERE t.state <> 'settled' OR NOT EXISTS (
                SELECT FROM ledger.entry e WHERE e.transfer_id = t.id
                HAVING count(*) = 6 AND sum(e.amount) = 0))
            """;

    private TransfersAuditor() {}

    /**
     * Of each transfer there should be three events. Arrived are those with an effect in the read model; twice are also payments of a
     * transfer beyond its first; amiss are transfers whose postings are missing or do not sum up to nothing.
     */
    static ExampleFindings audit(Connection connection) throws SQLException {
        return ExampleFindings.of(connection, "cts.transfer, projections.timeline, ledger.entry", FINDINGS);
    }

    /** How much the services have done so far, in any unit that grows. */
    static long effects(Connection connection) throws SQLException {
        return number(
                connection,
                "SELECT (SELECT count(*) FROM projections.timeline) + (SELECT count(*) FROM ledger.entry)"
                        + " + (SELECT count(*) FROM cts.timeline)");
    }

    /** How much it will be: three lines of the read model, six entries and three lines of a timeline for each transfer. */
    static long expected(Connection connection) throws SQLException {
        return number(connection, "SELECT 12 * count(*) FROM cts.transfer");
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
