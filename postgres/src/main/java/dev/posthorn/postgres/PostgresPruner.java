package dev.posthorn.postgres;

import dev.posthorn.archive.Archive;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Removes events that every live route has published longer ago than the retention, in small transactions, each of which
 * keeps nobody waiting. What a detour, a dead letter or a blocked key still needs stays.
 *
 * <p>One at a time prunes a schema; whoever comes second finds nothing to do. Thread-safe.
 */
public final class PostgresPruner {

    /** 30 days. */
    public static final Duration STANDARD_RETENTION = Duration.ofDays(30);

    static final int CHUNK = 1_000;

    /**
     * What one run did, or would do.
     *
     * @param events removed from the log
     * @param archived events that were archived to be removed; one that is needed again by then stays nevertheless
     * @param volumes of the archive that hold them
     * @param checkpoints removed because they date no event that is still there
     * @param flushes removed with them
     * @param kept events that were looked at and had to stay
     * @param busy whether another one was pruning, so that this run ended early
     */
    public record Report(
            long events, long archived, long volumes, long checkpoints, long flushes, long kept, boolean busy) {

        static Report removed(long events, long kept, boolean busy) {
            return new Report(events, 0, 0, 0, 0, kept, busy);
        }

        private Report withCompacted(long checkpoints, long flushes) {
            return new Report(events, archived, volumes, checkpoints, flushes, kept, busy);
        }
    }

    private record Lane(short route, short lane) {}

    private record Step(long removed, long seen, long lastSeq, Duration ageOfLast, boolean busy) {}

    private final DataSource database;
    private final Schema schema;
    private final Duration retention;
    private final @Nullable Archive archive;

    /** Counts the retention from when an event was published. */
    public PostgresPruner(DataSource database, Schema schema, Duration retention) {
        this(database, schema, retention, null);
    }

    private PostgresPruner(DataSource database, Schema schema, Duration retention, @Nullable Archive archive) {
        if (retention.isNegative()) {
            throw new IllegalArgumentException("The retention is " + retention + "; it must not be negative.");
        }
        this.database = database;
        this.schema = schema;
        this.retention = retention;
        this.archive = archive;
    }

    /**
     * One that removes an event only after it is in a finished volume of this archive.
     *
     * <p>From its first run on the whole log is archived: pruning without an archive is refused, in any process, until
     * {@link #stopArchive}.
     */
    public PostgresPruner withArchive(Archive chosen) {
        return new PostgresPruner(database, schema, retention, chosen);
    }

    /** What {@link #prune} would remove of the log now. */
    public Report look() {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            return eachLane(connection, "prune_look", progress -> {});
        } catch (SQLException e) {
            throw OperatorErrors.translate("look at schema", schema, e);
        }
    }

    /** Removes what may go, and tells now and then how many events that were so far. */
    public Report prune(LongConsumer progress) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            Report removed = archive == null
                    ? eachLane(connection, "prune", progress)
                    : new ArchiveRun(connection, schema, archive, retention).run(lanes(connection), progress);
            return removed.busy() ? removed : compacted(connection, removed);
        } catch (SQLException e) {
            throw OperatorErrors.translate("prune schema", schema, e);
        }
    }

    /** Lets events be removed again without an archive; false if they were. Recorded with the reason. */
    public boolean stopArchive(String reason) {
        try (Connection connection = database.getConnection();
                PreparedStatement stop = connection.prepareStatement(Sql.load("archive_stop", schema))) {
            connection.setAutoCommit(true);
            new Parameters(stop).remark(reason);
            try (ResultSet row = stop.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        } catch (SQLException e) {
            throw OperatorErrors.translate("end the archive of schema", schema, e);
        }
    }

    private Report eachLane(Connection connection, String statement, LongConsumer progress) throws SQLException {
        try (PreparedStatement next = connection.prepareStatement(Sql.load(statement, schema))) {
            long events = 0;
            long kept = 0;
            for (short lane : lanes(connection)) {
                long after = 0;
                Step step;
                do {
                    step = step(next, lane, after);
                    if (step.busy()) {
                        return Report.removed(events, kept, true);
                    }
                    events += step.removed();
                    kept += step.seen() - step.removed();
                    after = step.lastSeq();
                    progress.accept(events);
                } while (step.seen() == CHUNK && mayBeOlder(step.ageOfLast(), retention));
            }
            return Report.removed(events, kept, false);
        }
    }

    /** Emitted so long ago, by the database's clock, that it may have been published before the retention began. */
    static boolean mayBeOlder(Duration age, Duration retention) {
        return age.compareTo(retention.minusHours(1)) > 0;
    }

    private Report compacted(Connection connection, Report removed) throws SQLException {
        long checkpoints = 0;
        for (Lane lane : lanesOfRoutes(connection)) {
            checkpoints += untilNoneIsLeft(
                    connection,
                    "prune_checkpoints",
                    bind -> bind.value(lane.route())
                            .value(lane.lane())
                            .value(retention.toMillis())
                            .value(CHUNK));
        }
        return removed.withCompacted(
                checkpoints, untilNoneIsLeft(connection, "prune_flushes", bind -> bind.value(CHUNK)));
    }

    private long untilNoneIsLeft(Connection connection, String statement, Connections.Binder binder)
            throws SQLException {
        long all = 0;
        try (PreparedStatement remove = connection.prepareStatement(Sql.load(statement, schema))) {
            long removed;
            do {
                binder.bind(new Parameters(remove));
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

    private Set<Short> lanes(Connection connection) throws SQLException {
        return new TreeSet<>(lanesOfRoutes(connection).stream().map(Lane::lane).toList());
    }

    private List<Lane> lanesOfRoutes(Connection connection) throws SQLException {
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
