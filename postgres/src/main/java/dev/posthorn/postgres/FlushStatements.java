package dev.posthorn.postgres;

import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.Changes;
import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.FailedAttempt;
import dev.posthorn.relay.CheckpointStore.LaneFlush;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The statements of one flush, each for all lanes at once; those with nothing to write are not sent. */
final class FlushStatements {

    /** A row and the lane it belongs to. */
    private record Of<T>(int lane, T row) {}

    private final Connections connections;
    private final short route;
    private final String checkpoints;
    private final String blocked;
    private final String unblocked;
    private final String detours;
    private final String finished;
    private final String attempts;
    private final String incarnation;

    FlushStatements(Connections connections, Schema schema, short route) {
        this.connections = connections;
        this.route = route;
        this.checkpoints = Sql.load("flush_checkpoints", schema);
        this.blocked = Sql.load("flush_blocked", schema);
        this.unblocked = Sql.load("flush_unblocked", schema);
        this.detours = Sql.load("flush_detours", schema);
        this.finished = Sql.load("flush_finished", schema);
        this.attempts = Sql.load("flush_attempts", schema);
        this.incarnation = Sql.load("incarnation", schema);
    }

    /** The first statement of the flush. Answers which lanes were written; the others are lost. */
    Set<Integer> checkpoints(Connection connection, String relay, String incarnation, List<LaneFlush> lanes)
            throws SQLException {
        List<String> snapshots = PostgresCheckpoints.snapshotsOf(lanes);
        return connections.first(
                connection,
                checkpoints,
                bind -> bind.column("int2", lanes, lane -> lane.lease().lane())
                        .column("int8", lanes, lane -> lane.lease().epoch())
                        .column("int8", lanes, LaneFlush::n)
                        .column("int8", lanes, lane -> lane.cursor().position())
                        .column("int2", lanes, lane -> numberOf(lane.cursor().snapshot(), snapshots))
                        .column("int2", lanes, lane -> numberOf(lane.cursor().pin(), snapshots))
                        .column(
                                "int8",
                                lanes,
                                lane -> lane.cursor().pin() == null
                                        ? null
                                        : lane.cursor().late())
                        .value(route)
                        .name("relay name", relay)
                        .text("incarnation", incarnation)
                        .name("relay name", relay)
                        .texts("snapshot", snapshots)
                        .value(route),
                rows -> {
                    Set<Integer> written = new HashSet<>();
                    while (rows.next()) {
                        written.add(rows.getInt(1));
                    }
                    return written;
                });
    }

    /** Lanes are lost to another relay, or because this session is not on the primary any more. */
    void checkPrimary(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(incarnation);
                ResultSet row = statement.executeQuery()) {
            row.next();
            connections.ofPrimary(row.getString(1));
        }
    }

    private static @Nullable Integer numberOf(dev.posthorn.relay.@Nullable Snapshot snapshot, List<String> snapshots) {
        return snapshot == null ? null : snapshots.indexOf(snapshot.text()) + 1;
    }

    void blocked(Connection connection, List<LaneFlush> lanes) throws SQLException {
        List<Of<BlockedKey>> rows = rowsOf(lanes, Changes::blocked);
        run(
                connection,
                blocked,
                rows,
                bind -> bind.value(route)
                        .column("int2", rows, Of::lane)
                        .texts("key", rows, of -> of.row().key())
                        .texts("cursor", rows, of -> CursorText.of(of.row().from()))
                        .texts("cursor", rows, of -> CursorText.of(of.row().to()))
                        .column("int8", rows, of -> of.row().passed())
                        .column("int8", rows, of -> of.row().head())
                        .column("int4", rows, of -> of.row().trouble().attempts())
                        .column("int8", rows, of -> micros(of.row().trouble().pause()))
                        .remarks(rows, of -> of.row().trouble().error())
                        .column("bool", rows, of -> of.row().held()));
    }

    void unblocked(Connection connection, List<LaneFlush> lanes) throws SQLException {
        List<Of<String>> rows = rowsOf(lanes, Changes::unblocked);
        run(
                connection,
                unblocked,
                rows,
                bind -> bind.column("int2", rows, Of::lane)
                        .texts("key", rows, Of::row)
                        .value(route));
    }

    void detours(Connection connection, List<LaneFlush> lanes) throws SQLException {
        List<Of<Detour>> rows = rowsOf(lanes, Changes::detours);
        run(
                connection,
                detours,
                rows,
                bind -> bind.value(route)
                        .column("int2", rows, Of::lane)
                        .column("int8", rows, of -> of.row().seq())
                        .texts("kind", rows, of -> of.row().kind().name())
                        .column("uuid", rows, of -> of.row().eventId())
                        .texts("key", rows, of -> of.row().key())
                        .column("int4", rows, of -> of.row().trouble().attempts())
                        .column("int8", rows, of -> micros(of.row().trouble().pause()))
                        .remarks(rows, of -> of.row().trouble().error()));
    }

    void finished(Connection connection, List<LaneFlush> lanes) throws SQLException {
        List<Of<Long>> rows = rowsOf(lanes, Changes::finished);
        run(connection, finished, rows, bind -> bind.value(route).column("int8", rows, Of::row));
    }

    void attempts(Connection connection, String relay, List<LaneFlush> lanes) throws SQLException {
        List<Of<FailedAttempt>> rows = rowsOf(lanes, Changes::attempts);
        run(
                connection,
                attempts,
                rows,
                bind -> bind.value(route)
                        .name("relay name", relay)
                        .column("int8", rows, of -> of.row().seq())
                        .column("uuid", rows, of -> of.row().eventId())
                        .column("int4", rows, of -> of.row().attempt())
                        .texts("outcome", rows, of -> of.row().outcome())
                        .remarks(rows, of -> of.row().error()));
    }

    private static <T> List<Of<T>> rowsOf(List<LaneFlush> lanes, Function<Changes, List<T>> part) {
        List<Of<T>> rows = new ArrayList<>();
        for (LaneFlush lane : lanes) {
            part.apply(lane.changes())
                    .forEach(row -> rows.add(new Of<>(lane.lease().lane(), row)));
        }
        return rows;
    }

    private static void run(Connection connection, String sql, Collection<?> rows, Connections.Binder binder)
            throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binder.bind(new Parameters(statement));
            statement.executeUpdate();
        }
    }

    private static long micros(Duration pause) {
        return pause.toNanos() / 1_000;
    }
}
