package dev.posthorn.demo;

import dev.posthorn.examples.holdco.Queue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the history of the business with the effects of the consumers, in SQL and by nothing else. It reads the service's
 * own tables and event_outbox; what a queue should get is said here again, by the design's meaning and not by the bindings.
 */
final class HoldcoAuditor {

    private static final String FINDINGS = """
            WITH expected AS MATERIALIZED (
              SELECT * FROM holdco.history WHERE {wanted}
            ), effect AS MATERIALIZED (
              SELECT e.n, x.event_id, x.aggregate_id, x.version,
                     row_number() OVER (PARTITION BY e.event_id ORDER BY e.n) AS nth
              FROM holdco.{effects} e
              LEFT JOIN expected x ON x.event_id = e.event_id AND x.aggregate_type = e.aggregate_type
                AND x.aggregate_id = e.aggregate_id AND x.event_type = e.event_type AND x.version = e.version
            ), first_effect AS (
              SELECT version,
                     max(version) OVER (PARTITION BY aggregate_id ORDER BY n
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest_before
              FROM effect WHERE event_id IS NOT NULL AND nth = 1
            ), missing AS MATERIALIZED (
              SELECT event_id FROM expected EXCEPT SELECT event_id FROM effect
            )
            SELECT
              (SELECT count(*) FROM expected),
              (SELECT count(*) FROM first_effect),
              (SELECT count(*) FROM missing m
               CROSS JOIN LATERAL (SELECT o.status FROM holdco.event_outbox o WHERE o.id = m.event_id) AS s
               WHERE s.status = 'dead'),
              (SELECT count(*) FROM effect WHERE event_id IS NULL),
              (SELECT count(*) FROM effect WHERE event_id IS NOT NULL AND nth > 1),
              (SELECT count(*) FROM first_effect WHERE version < highest_before)
            """;

    private static final String WRONG_BOOKS = """
            WITH book AS (
              SELECT 'order' AS type, id, version, state FROM holdco.orders
              UNION ALL SELECT 'payment_intent', id, version, state FROM holdco.payment_intents
              UNION ALL SELECT 'invoice', id, version, state FROM holdco.invoices
              UNION ALL SELECT 'stock_adjustment', id, version, state FROM holdco.stock_adjustments
              UNION ALL SELECT 'price_rule', id, version, state FROM holdco.price_rules
            ), told AS (
              SELECT aggregate_type AS type, aggregate_id AS id, count(*) AS changes, max(version) AS version,
                     (array_agg(event_type ORDER BY version DESC))[1] AS state
              FROM holdco.history GROUP BY 1, 2
            )
            SELECT count(*) FROM book b FULL JOIN told t USING (type, id)
            WHERE b.version IS DISTINCT FROM t.version OR b.version IS DISTINCT FROM t.changes
               OR b.state IS DISTINCT FROM t.state
            """;

    private HoldcoAuditor() {}

    static List<HoldcoFindings> audit(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE holdco.history");
            List<HoldcoFindings> all = new ArrayList<>();
            for (Queue queue : Queue.values()) {
                all.add(audit(statement, queue));
            }
            return all;
        }
    }

    private static HoldcoFindings audit(Statement statement, Queue queue) throws SQLException {
        String sql = FINDINGS.replace("{effects}", queue.effects()).replace("{wanted}", wanted(queue));
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return new HoldcoFindings(
                    queue,
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6));
        }
    }

    static long wrongBooks(Connection connection) throws SQLException {
        return number(connection, WRONG_BOOKS);
    }

    /** How many effects there should be, at all queues. */
    static long expected(Connection connection) throws SQLException {
        long sum = 0;
        for (Queue queue : Queue.values()) {
            sum += number(connection, "SELECT count(*) FROM holdco.history WHERE " + wanted(queue));
        }
        return sum;
    }

    /** How many there are. */
    static long effects(Connection connection) throws SQLException {
        long sum = 0;
        for (Queue queue : Queue.values()) {
            sum += number(connection, "SELECT count(*) FROM holdco." + queue.effects());
        }
        return sum;
    }

    private static String wanted(Queue queue) {
        return switch (queue) {
            case ANALYTICS -> "true";
            case ERP -> "aggregate_type IN ('invoice', 'payment_intent')";
            case INVENTORY -> "starts_with(aggregate_type, 'stock_')";
            case PRICING -> "starts_with(aggregate_type, 'price_')";
            case NOTIFICATIONS ->
                "(aggregate_type = 'order' OR (aggregate_type, event_type) = ('payment_intent', 'failed'))";
        };
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
