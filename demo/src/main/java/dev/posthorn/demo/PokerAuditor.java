package dev.posthorn.demo;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Compares the hands and requests with what every part of the game did about them, in SQL and by nothing else. */
final class PokerAuditor {

    /** A player's and a table's versions are their events, without gaps; a hand has three. */
    private static final String FINDINGS = """
            WITH shown AS MATERIALIZED (
              SELECT d.n, d.event_id, d.domain, d.key, d.sequence,
                     coalesce(CASE d.domain WHEN 'hand' THEN (SELECT 3 FROM poker.hands h WHERE h.id = d.key)
                                            WHEN 'player' THEN (SELECT p.version FROM poker.players p WHERE p.id = d.key)
                                            WHEN 'table' THEN (SELECT t.version FROM poker.tables t WHERE t.id = d.key)
                              END >= d.sequence, false) AS known
              FROM poker.display d
            ), ordered AS (
              SELECT sequence, max(sequence) OVER (PARTITION BY domain, key ORDER BY n
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest_before
              FROM shown
            ), more (extra) AS (
              SELECT count(*) - 1 FROM shown GROUP BY event_id
              UNION ALL SELECT count(*) - 1 FROM poker.winnings GROUP BY hand
              UNION ALL SELECT count(*) - 1 FROM poker.ended_hands GROUP BY hand
              UNION ALL SELECT count(*) - 1 FROM poker.histories GROUP BY hand
              UNION ALL SELECT count(*) - 1 FROM poker.statistics GROUP BY hand
              UNION ALL SELECT count(*) - 1 FROM poker.buy_ins GROUP BY request, step
            )
            SELECT
              5 * (SELECT count(*) FROM poker.hands) + 3 * (SELECT count(*) FROM poker.seat_requests),
              (SELECT count(DISTINCT (domain, key, sequence)) FROM shown WHERE known),
              (SELECT count(*) FROM shown WHERE NOT known)
                + (SELECT count(*) FROM poker.winnings w LEFT JOIN poker.hands h ON h.id = w.hand WHERE h.id IS NULL)
                + (SELECT count(*) FROM poker.ended_hands e LEFT JOIN poker.hands h ON h.id = e.hand WHERE h.id IS NULL)
                + (SELECT count(*) FROM poker.buy_ins b LEFT JOIN poker.seat_requests r ON r.id = b.request WHERE r.id IS NULL),
              (SELECT coalesce(sum(extra), 0) FROM more),
              (SELECT count(*) FROM ordered WHERE sequence < highest_before),
              (SELECT count(*) FROM poker.hands h
                 LEFT JOIN poker.winnings w ON w.hand = h.id AND w.player_id = h.winner AND w.amount = h.pot
                 LEFT JOIN poker.ended_hands e ON e.hand = h.id AND e.table_id = h.table_id
                 LEFT JOIN poker.histories y ON y.hand = h.id AND y.bytes = h.history_bytes
                 LEFT JOIN poker.statistics s ON s.hand = h.id AND s.winner = h.winner
               WHERE w.hand IS NULL OR e.hand IS NULL OR y.hand IS NULL OR s.hand IS NULL)
                + (SELECT count(*) FROM poker.seat_requests r
                   WHERE (SELECT count(DISTINCT step) FROM poker.buy_ins b WHERE b.request = r.id) <> 2)
                + (SELECT count(*) FROM poker.tables t WHERE t.seats <>
                     (SELECT count(DISTINCT r.id) FROM poker.seat_requests r JOIN poker.buy_ins b ON b.request = r.id
                      WHERE r.table_id = t.id AND b.step = 'seated'))
            """;

    private PokerAuditor() {}

    /**
     * For each hand there should be five events, three of its own, one of its winner and one of its table, and for each request of a
     * seat three. Arrived are those on the display; amiss are hands whose winner, table, history or statistics lack something, and
     * requests without an end.
     */
    static ExampleFindings audit(Connection connection) throws SQLException {
        return ExampleFindings.of(
                connection,
                "poker.display, poker.hands, poker.winnings, poker.ended_hands, poker.histories,"
                        + " poker.statistics, poker.buy_ins, poker.seat_requests",
                FINDINGS);
    }

    /** How much was done so far, in any unit that grows. */
    static long effects(Connection connection) throws SQLException {
        return number(
                connection,
                "SELECT (SELECT count(*) FROM poker.display) + (SELECT count(*) FROM poker.winnings)"
                        + " + (SELECT count(*) FROM poker.ended_hands) + (SELECT count(*) FROM poker.histories)"
                        + " + (SELECT count(*) FROM poker.buy_ins)");
    }

    /** How much it will be. */
    static long expected(Connection connection) throws SQLException {
        return number(
                connection,
                "SELECT 8 * (SELECT count(*) FROM poker.hands) + 5 * (SELECT count(*) FROM poker.seat_requests)");
    }

    static long counted(Connection connection) throws SQLException {
        return number(connection, "SELECT count(*) FROM poker.statistics");
    }

    static long hands(Connection connection) throws SQLException {
        return number(connection, "SELECT count(*) FROM poker.hands");
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
