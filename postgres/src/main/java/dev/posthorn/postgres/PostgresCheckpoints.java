package dev.posthorn.postgres;

import dev.posthorn.relay.CheckpointStore;
import dev.posthorn.relay.Cursor;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.RouteMode;
import dev.posthorn.relay.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Cursors, blocked keys and detours of one route, in Postgres. Thread-safe. */
final class PostgresCheckpoints implements CheckpointStore {

    private final Connections connections;
    private final short route;
    private final String loadLanes;
    private final String loadBlocked;
    private final String dueDetours;
    private final FlushStatements flush;

    PostgresCheckpoints(Connections connections, Schema schema, short route) {
        this.connections = connections;
        this.route = route;
        this.loadLanes = Sql.load("load_lanes", schema);
        this.loadBlocked = Sql.load("load_blocked", schema);
        this.dueDetours = EventRows.withEvent(Sql.load("read_due_detours", schema), schema);
        this.flush = new FlushStatements(connections, schema, route);
    }

    /**
     * The blocked keys last: a flush of this relay whose answer was lost may still commit in between. Keys that are newer
     * than their checkpoint only make the next flush fail; a checkpoint without its keys would let them pass. For the same
     * reason both must be of one incarnation.
     */
    @Override
    public List<LaneState> load(String relay, Collection<Lease> leases) {
        List<LaneState> lanes = connections.read(
                "load lanes",
                loadLanes,
                bind -> bind.column("int2", leases, Lease::lane)
                        .column("int8", leases, Lease::epoch)
                        .value(route)
                        .name("relay name", relay),
                rows -> {
                    List<LaneState> states = new ArrayList<>();
                    while (rows.next()) {
                        states.add(state(rows));
                    }
                    return states;
                });
        Blocked blocked = blocked(lanes.stream().map(LaneState::lane).toList(), null);
        return lanes.stream()
                .filter(lane -> lane.incarnation().equals(blocked.incarnation()))
                .map(lane -> new LaneState(
                        lane.lane(), lane.n(), lane.cursor(), lane.incarnation(), lane.mode(), blocked.of(lane.lane())))
                .toList();
    }

    private LaneState state(ResultSet row) throws SQLException {
        int lane = row.getInt(1);
        if (row.getBoolean(5)) {
            throw new StoreException("Lane " + lane + ": " + RestoredLog.EXPLANATION, null);
        }
        return new LaneState(
                lane,
                row.getLong(2),
                CursorText.parse(row.getString(3)),
                connections.ofPrimary(row.getString(4)),
                RouteMode.valueOf(row.getString(6)),
                List.of());
    }

    private record Blocked(String incarnation, Map<Integer, List<BlockedKey>> keys) {
        List<BlockedKey> of(int lane) {
            return keys.getOrDefault(lane, List.of());
        }
    }

    private Blocked blocked(Collection<Integer> lanes, @Nullable Collection<String> keys) {
        return connections.read(
                "load blocked keys",
                loadBlocked,
                bind -> {
                    bind.value(route).array("int2", lanes);
                    if (keys == null) {
                        bind.noArray().noArray();
                    } else {
                        bind.texts("key", keys).texts("key", keys);
                    }
                },
                rows -> {
                    rows.next();
                    String incarnation = connections.ofPrimary(rows.getString(2));
                    Map<Integer, List<BlockedKey>> found = new HashMap<>();
                    while (rows.next()) {
                        found.computeIfAbsent(rows.getInt(1), any -> new ArrayList<>())
                                .add(blockedKey(rows));
                    }
                    return new Blocked(incarnation, found);
                });
    }

    private static BlockedKey blockedKey(ResultSet row) throws SQLException {
        long head = row.getLong(6);
        @Nullable Long headOrNull = row.wasNull() ? null : head;
        Trouble trouble = new Trouble(row.getInt(7), Duration.ofNanos(row.getLong(8) * 1_000), row.getString(9));
        return new BlockedKey(
                row.getString(2),
                CursorText.parse(row.getString(3)),
                CursorText.parse(row.getString(4)),
                row.getLong(5),
                headOrNull,
                trouble,
                row.getBoolean(10));
    }

    @Override
    public List<BlockedKey> released(int lane, Collection<String> heldKeys) {
        return blocked(List.of(lane), heldKeys).of(lane).stream()
                .filter(key -> !key.held())
                .toList();
    }

    @Override
    public Due due(Collection<Integer> lanes, int limit) {
        return connections.read(
                "read due detours",
                dueDetours,
                bind -> bind.value(route)
                        .array("int2", lanes)
                        .value(route)
                        .value(limit)
                        .value(limit),
                rows -> {
                    RouteMode mode = RouteMode.OPEN;
                    List<DueDetour> due = new ArrayList<>();
                    while (rows.next()) {
                        if (rows.getInt(1) < 0) {
                            connections.ofPrimary(EventRows.incarnation(rows));
                            mode = RouteMode.valueOf(rows.getString(EventRows.AFTER));
                        } else {
                            due.add(dueDetour(rows));
                        }
                    }
                    return new Due(mode, due);
                });
    }

    private static DueDetour dueDetour(ResultSet row) throws SQLException {
        var event = EventRows.read(row, row.getInt(1));
        int after = EventRows.AFTER;
        Trouble trouble = new Trouble(row.getInt(after + 1), Duration.ZERO, row.getString(after + 2));
        return new DueDetour(
                new Detour(
                        event.seq(),
                        DetourKind.valueOf(row.getString(after)),
                        event.event().id(),
                        event.event().key().orElse(null),
                        trouble),
                event);
    }

    @Override
    public Set<Integer> flush(String relay, String incarnation, List<LaneFlush> lanes) {
        return connections.transaction("write checkpoints", connection -> write(connection, relay, incarnation, lanes));
    }

    /** Writes a flush within a transaction; answers which lanes are lost, of which nothing was written. */
    Set<Integer> write(Connection connection, String relay, String incarnation, List<LaneFlush> lanes)
            throws SQLException {
        Set<Integer> written = flush.checkpoints(connection, relay, incarnation, lanes);
        List<LaneFlush> mine = lanes.stream()
                .filter(lane -> written.contains(lane.lease().lane()))
                .toList();
        if (mine.stream().anyMatch(lane -> !lane.changes().isEmpty())) {
            writeChanges(connection, relay, mine);
        }
        Set<Integer> lost = new HashSet<>();
        lanes.forEach(lane -> lost.add(lane.lease().lane()));
        lost.removeAll(written);
        if (!lost.isEmpty()) {
            flush.checkPrimary(connection);
        }
        return lost;
    }

    private void writeChanges(Connection connection, String relay, List<LaneFlush> lanes) throws SQLException {
        flush.unblocked(connection, lanes);
        flush.blocked(connection, lanes);
        flush.finished(connection, lanes);
        flush.detours(connection, lanes);
        flush.attempts(connection, relay, lanes);
    }

    /** The distinct snapshots of a flush, in the order in which they are numbered. */
    static List<String> snapshotsOf(List<LaneFlush> lanes) {
        Set<String> snapshots = new java.util.LinkedHashSet<>();
        for (LaneFlush lane : lanes) {
            Cursor cursor = lane.cursor();
            snapshots.add(cursor.snapshot().text());
            if (cursor.pin() != null) {
                snapshots.add(cursor.pin().text());
            }
        }
        return List.copyOf(snapshots);
    }
}
