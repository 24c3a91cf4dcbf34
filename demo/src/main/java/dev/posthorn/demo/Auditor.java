package dev.posthorn.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Compares the books with what arrived, in SQL and by nothing else.
 *
 * <p>An entry names its event, so an event of a transaction that rolled back is recognised as invented although a later
 * transaction has used the same account and version.
 *
 * <p>A gap is not counted by itself: if the missing event comes later it is out of order, and if it never comes, lost.
 */
final class Auditor {

    private static final String FINDINGS = """
            WITH arrival AS (
              SELECT a.ordinal, e.event, e.account, e.version,
                     row_number() OVER (PARTITION BY e.event ORDER BY a.ordinal) AS nth
              FROM posthorn_demo.arrived a
              LEFT JOIN posthorn_demo.entry e ON e.event = a.id AND e.account = a.key AND e.version = a.sequence
            ), first_arrival AS (
              SELECT event, version,
                     max(version) OVER (PARTITION BY account ORDER BY ordinal
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest_before
              FROM arrival WHERE event IS NOT NULL AND nth = 1
            )
            SELECT
              (SELECT count(*) FROM posthorn_demo.entry),
              (SELECT count(*) FROM first_arrival),
              (SELECT count(*) FROM posthorn.detour d JOIN posthorn_demo.entry e ON e.event = d.event_id
               WHERE d.kind = 'FAILED' AND NOT EXISTS (SELECT FROM first_arrival f WHERE f.event = e.event)),
              (SELECT count(*) FROM arrival WHERE event IS NULL),
              (SELECT count(*) FROM arrival WHERE event IS NOT NULL AND nth > 1),
              (SELECT count(*) FROM first_arrival WHERE version < highest_before),
              (SELECT count(*) FROM posthorn_demo.account a
               LEFT JOIN (SELECT account, sum(amount) AS moved, count(*) AS entries, max(version) AS newest
                          FROM posthorn_demo.entry GROUP BY account) e ON e.account = a.id
               WHERE a.balance <> a.opening + coalesce(e.moved, 0)
                  OR a.version <> coalesce(e.entries, 0) OR a.version <> coalesce(e.newest, 0))
              + (SELECT count(*) FROM posthorn_demo.transfer t
                 LEFT JOIN (SELECT transfer, count(*) AS entries, sum(amount) AS rest, max(amount) AS amount
                            FROM posthorn_demo.entry GROUP BY transfer) e ON e.transfer = t.id
                 WHERE coalesce(e.entries, 0) <> 2 OR e.rest <> 0 OR e.amount <> t.amount)
              + (SELECT count(*) FROM (SELECT sum(balance) - sum(opening) AS rest FROM posthorn_demo.account) total
                 WHERE total.rest <> 0)
            """;

    private Auditor() {}

    static Findings audit(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE posthorn_demo.entry, posthorn_demo.arrived, posthorn_demo.transfer");
            try (ResultSet row = statement.executeQuery(FINDINGS)) {
                row.next();
                return new Findings(
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getLong(7));
            }
        }
    }
}
