package dev.posthorn.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Compares the history of the licenses with the notices about them, in SQL and by nothing else. */
final class LicensesAuditor {

    private static final String FINDINGS = """
            WITH effect AS MATERIALIZED (
              SELECT n.n, n.audience, n.store_id, n.license_id, n.link, n.reason, n.type,
                     c.version, c.status, c.store_id AS of_store, c.reason AS given,
                     row_number() OVER (PARTITION BY n.event_id ORDER BY n.n) AS nth
              FROM compliance.notifications n
              LEFT JOIN marketplace.license_change c ON c.event_id = n.event_id AND c.license_id = n.license_id
            ), ordered AS (
              SELECT version, max(version) OVER (PARTITION BY license_id ORDER BY n
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest_before
              FROM effect WHERE version IS NOT NULL AND nth = 1
            )
            SELECT
              (SELECT count(*) FROM marketplace.license_change),
              (SELECT count(*) FROM ordered),
              (SELECT count(*) FROM effect WHERE version IS NULL),
              (SELECT count(*) FROM effect WHERE version IS NOT NULL AND nth > 1),
              (SELECT count(*) FROM ordered WHERE version < highest_before),
              (SELECT count(*) FROM effect WHERE version IS NOT NULL AND (
                type <> 'compliance'
                OR reason IS DISTINCT FROM given
                OR audience <> CASE status WHEN 'pending' THEN 'admin' ELSE 'store' END
                OR store_id IS DISTINCT FROM CASE status WHEN 'pending' THEN NULL ELSE of_store END
                OR NOT link LIKE '%/licenses/' || license_id))
            """;

    private LicensesAuditor() {}

    /**
     * Expected are changes of licenses, arrived those that have a notice; amiss are notices to somebody else, or with another reason
     * or link, than the change asks for.
     */
    static ExampleFindings audit(Connection connection) throws SQLException {
        return ExampleFindings.of(connection, "marketplace.license_change, compliance.notifications", FINDINGS);
    }

    /** How many notices there are so far. */
    static long effects(Connection connection) throws SQLException {
        return number(connection, "SELECT count(DISTINCT event_id) FROM compliance.notifications");
    }

    static long expected(Connection connection) throws SQLException {
        return number(connection, "SELECT count(*) FROM marketplace.license_change");
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
