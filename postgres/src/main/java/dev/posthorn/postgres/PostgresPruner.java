package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/**
 * Removes events that every live route has published longer ago than the retention, in small transactions, each of which
 * keeps nobody waiting. What a detour, a dead letter or a blocked key still needs stays.
 *
 * <p>One at a time prunes a schema; whoever comes second finds nothing to do. Thread-safe.
 */
public final class PostgresPruner {

    /** 30 days. */
    public static final Duration STANDARD_RETENTION = Duration.ofDays(30);

    private static final int CHUNK = 1_000;

    /**
     * What one run did, or would do.
     *
     * @param events removed from the log
     * @param checkpoints removed because they date no event that is still there
     * @param flushes removed with them
     * @param kept events that were looked at and had to stay
     * @param busy whether another one was pruning, so that this run ended early
     */
    public record Report(long events, long checkpoints, long flushes, long kept, boolean busy) {}

    private record Lane(short route, short lane) {}

    private record Step(long removed, long seen, long lastSeq, Duration ageOfLast, boolean busy) {}

    private final DataSource database;
    private final Schema schema;
    private final Duration retention;

    /** Counts the retention from when an event was published. */
    public PostgresPruner(DataSource database, Schema schema, Duration retention) {
        if (retention.isNegative()) {
            throw new IllegalArgumentException("The retention is " + retention + "; it must not be negative.");
        }
        this.database = database;
        this.schema = schema;
        this.retention = retention;
    }

    /** What {@link #prune} would remove of the log now. */
    public Report look() {
        return run("prune_look", progress -> {}, false);
    }

    /** Removes what may go, and tells now and then how many events that were so far. */
    public Report prune(LongConsumer progress) {
        return run("prune", progress, true);
    }

    private Report run(String statement, LongConsumer progress, boolean remove) {
        try (Connection connection = database.getConnection();
                PreparedStatement next = connection.prepareStatement(Sql.load(statement, schema))) {
            connection.setAutoCommit(true);
            List<Lane> lanes = lanes(connection);
            long events = 0;
            long kept = 0;
            for (short lane : new TreeSet<>(lanes.stream().map(Lane::lane).toList())) {
                long after = 0;
                Step step;
                do {
                    step = step(next, lane, after);
                    if (step.busy()) {
                        return new Report(events, 0, 0, kept, true);
                    }
                    events += step.removed();
                    kept += step.seen() - step.removed();
                    after = step.lastSeq();
                    progress.accept(events);
                } while (step.seen() == CHUNK && isOld(step.ageOfLast()));
            }
            return remove ? compacted(connection, lanes, events, kept) : new Report(events, 0, 0, kept, false);
        } catch (SQLException e) {
            throw OperatorErrors.translate("prune schema", schema, e);
        }
    }

    /** Emitted so long ago, by the database's clock, that it may have been published before the retention began. */
    private boolean isOld(Duration age) {
        return age.compareTo(retention.minusHours(1)) > 0;
    }

    private Report compacted(Connection connection, List<Lane> lanes, long events, long kept) throws SQLException {
        long checkpoints = 0;
        for (Lane lane : lanes) {
            checkpoints += untilNoneIsLeft(
                    connection, "prune_checkpoints", lane.route(), lane.lane(), retention.toMillis(), CHUNK);
        }
        long flushes = untilNoneIsLeft(connection, "prune_flushes", CHUNK);
        return new Report(events, checkpoints, flushes, kept, false);
    }

    private long untilNoneIsLeft(Connection connection, String statement, Object... values) throws SQLException {
        long all = 0;
        try (PreparedStatement remove = connection.prepareStatement(Sql.load(statement, schema))) {
            long removed;
            do {
                for (int i = 0; i < values.length; i++) {
                    remove.setObject(i + 1, values[i]);
                }
                try (ResultSet row = remove.executeQuery()) {
                    row.next();
                    removed = row.getLong(1);
                    all += removed;
                }
            } while (removed == CHUNK);
        }
        return all;
    }

    private Step step(PreparedStatement next, short lane, long after) throws SQLException {
        next.setShort(1, lane);
        next.setLong(2, after);
        next.setLong(3, retention.toMillis());
        next.setInt(4, CHUNK);
        try (ResultSet row = next.executeQuery()) {
            row.next();
            long removed = row.getLong(1);
            boolean busy = row.wasNull();
            return new Step(removed, row.getLong(2), row.getLong(3), Duration.ofMillis(row.getLong(4)), busy);
        }
    }

    private List<Lane> lanes(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(Sql.load("prune_lanes", schema));
                ResultSet rows = query.executeQuery()) {
            List<Lane> lanes = new ArrayList<>();
            while (rows.next()) {
                lanes.add(new Lane(rows.getShort(1), rows.getShort(2)));
            }
            return lanes;
        }
    }
}
