package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The outbox as it is usually built: a status per row, claimed with SKIP LOCKED and flipped in the same transaction.
 *
 * <p>Its table has the same columns and rows as the log, plus the status, the time, and a partial index on what is
 * pending. One claim, one update and one commit per batch: without the second update per row that many add to mark rows
 * as being worked on.
 */
final class UsualLoop implements Contender {

    private static final int BATCH = 500;
    private static final String COLUMNS = "id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant,"
            + " correlation_id, causation_id, traceparent, headers, content_type, occurred_at, deliver_after, payload";
    private static final String CLAIM = "SELECT place, " + EventColumns.LIST
            + " FROM {schema}.usual WHERE status = 'PENDING' ORDER BY place LIMIT " + BATCH + " FOR UPDATE SKIP LOCKED";
    private static final String MARK =
            "UPDATE {schema}.usual SET status = 'SENT', sent_at = now() WHERE place = ANY (?)";

    private final BenchContext context;

    UsualLoop(BenchContext context) {
        this.context = context;
    }

    @Override
    public String name() {
        return "usual loop";
    }

    @Override
    public BenchOptions options() {
        return context.options();
    }

    @Override
    public void prepare() throws SQLException {
        context.run(
                "CREATE TABLE IF NOT EXISTS {schema}.usual ("
                        + "place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL,"
                        + " domain text NOT NULL, type text NOT NULL, key text, sequence bigint, aggregate_type text,"
                        + " aggregate_id text, tenant text, correlation_id text, causation_id text, traceparent text,"
                        + " headers jsonb, content_type text NOT NULL, occurred_at timestamptz NOT NULL,"
                        + " deliver_after timestamptz,"
                        + " payload bytea NOT NULL, status text NOT NULL DEFAULT 'PENDING', sent_at timestamptz)",
                "CREATE INDEX IF NOT EXISTS usual_pending ON {schema}.usual (place) WHERE status = 'PENDING'",
                "TRUNCATE {schema}.usual",
                "INSERT INTO {schema}.usual (" + COLUMNS + ") SELECT " + COLUMNS
                        + " FROM {schema}.outbox ORDER BY seq");
        context.settle("usual");
    }

    @Override
    public void deliver(CountingSink sink) throws SQLException {
        try (Connection connection = context.pool().getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement claim = connection.prepareStatement(context.inSchema(CLAIM));
                    PreparedStatement mark = connection.prepareStatement(context.inSchema(MARK))) {
                while (turn(connection, claim, mark, sink)) {
                    connection.commit();
                }
                connection.rollback();
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    private static boolean turn(
            Connection connection, PreparedStatement claim, PreparedStatement mark, CountingSink sink)
            throws SQLException {
        List<Long> places = new ArrayList<>(BATCH);
        List<Event> events = new ArrayList<>(BATCH);
        try (ResultSet row = claim.executeQuery()) {
            while (row.next()) {
                places.add(row.getLong(1));
                events.add(EventColumns.read(row, 1));
            }
        }
        if (places.isEmpty()) {
            return false;
        }
        events.forEach(sink);
        mark.setArray(1, connection.createArrayOf("bigint", places.toArray()));
        mark.executeUpdate();
        return true;
    }

    @Override
    public void finish() throws SQLException {
        double waiting = context.number("SELECT count(*) FROM {schema}.usual WHERE status <> 'SENT'");
        if (waiting > 0) {
            throw new IllegalStateException((long) waiting + " rows are not marked as sent.");
        }
    }
}
