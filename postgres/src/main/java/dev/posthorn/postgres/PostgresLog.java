package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Log;
import dev.posthorn.relay.LogEvent;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.Snapshot;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the log from Postgres. Thread-safe. */
final class PostgresLog implements Log {

    private record OldTransaction(int of, long tx) {}

    private record OldOfLane(LaneRead lane, long tx) {}

    private static final Comparator<LogEvent> BY_SEQ = Comparator.comparingLong(LogEvent::seq);

    private final Connections connections;
    private final RouteFilter filter;
    private final String readLanes;
    private final String readPinned;
    private final String readWindows;
    private final String fetchEvents;
    private final String eventSizes;

    PostgresLog(Connections connections, Schema schema, StoredRoute route) {
        this.connections = connections;
        this.filter = route.filter();
        this.readLanes = read("read_lanes", schema, route);
        this.readPinned = read("read_pinned", schema, route);
        this.readWindows = read("read_windows", schema, route);
        this.fetchEvents = read("fetch_events", schema, route);
        this.eventSizes = Sql.load("event_sizes", schema);
    }

    private static String read(String name, Schema schema, StoredRoute route) {
        String sql = Sql.load(name, schema);
        return route.filter().isAll() ? EventRows.withEvent(sql, schema) : EventRows.withEvent(sql, schema, route.id());
    }

    @Override
    public RouteFilter filter() {
        return filter;
    }

    @Override
    public Page read(List<LaneRead> lanes) {
        List<OldOfLane> old = new ArrayList<>();
        for (LaneRead lane : lanes) {
            lane.cursor().snapshot().oldInProgress().forEach(tx -> old.add(new OldOfLane(lane, tx)));
        }
        return connections.read(
                "read the log",
                readLanes,
                bind -> bind.column("int2", lanes, LaneRead::lane)
                        .column("int8", lanes, lane -> lane.cursor().position())
                        .texts(
                                "snapshot",
                                lanes,
                                lane -> lane.cursor().snapshot().text())
                        .texts(
                                "transaction",
                                lanes,
                                lane -> Long.toString(lane.cursor().snapshot().lateFloor()))
                        .column("int4", lanes, LaneRead::freshLimit)
                        .column("int4", lanes, LaneRead::lateLimit)
                        .column("int2", old, one -> one.lane().lane())
                        .column("int8", old, one -> one.lane().cursor().position())
                        .column("int4", old, one -> one.lane().lateLimit())
                        .texts("transaction", old, one -> Long.toString(one.tx())),
                rows -> page(rows, lanes));
    }

    @Override
    public Page readPinned(LaneRead lane) {
        Snapshot pin = Objects.requireNonNull(lane.cursor().pin(), "the cursor is not pinned");
        Snapshot snapshot = lane.cursor().snapshot();
        return connections.read(
                "read late rows of lane " + lane.lane(),
                readPinned,
                bind -> bind.value(lane.lane())
                        .value(lane.cursor().position())
                        .text("snapshot", snapshot.text())
                        .text("snapshot", pin.text())
                        .value(lane.cursor().late())
                        .text("transaction", Long.toString(snapshot.lateFloor()))
                        .value(lane.lateLimit())
                        .texts("transaction", snapshot.oldInProgress(), tx -> Long.toString(tx)),
                rows -> page(rows, List.of(lane)));
    }

    private Page page(ResultSet rows, List<LaneRead> asked) throws SQLException {
        Map<Integer, LaneRows> lanes = new LinkedHashMap<>();
        for (LaneRead lane : asked) {
            lanes.put(lane.lane(), new LaneRows(lane.lane(), new ArrayList<>(), new ArrayList<>(0)));
        }
        EventRows.Shared shared = new EventRows.Shared();
        @Nullable String snapshot = null;
        @Nullable String incarnation = null;
        while (rows.next()) {
            int lane = rows.getInt(1);
            if (lane < 0) {
                snapshot = EventRows.snapshot(rows);
                incarnation = connections.ofPrimary(EventRows.incarnation(rows));
                connections.foundPlans(EventRows.hasPlainPlans(rows));
            } else {
                LaneRows found = Objects.requireNonNull(lanes.get(lane));
                (rows.getBoolean(2) ? found.late() : found.fresh()).add(EventRows.read(rows, lane, shared));
            }
        }
        lanes.values().forEach(lane -> lane.late().sort(BY_SEQ));
        return new Page(
                new Snapshot(Objects.requireNonNull(snapshot)),
                Objects.requireNonNull(incarnation),
                List.copyOf(lanes.values()));
    }

    @Override
    public Windows readWindows(List<KeyWindow> windows) {
        List<OldTransaction> old = new ArrayList<>();
        Map<KeyWindow, Integer> numbers = new HashMap<>();
        for (KeyWindow window : windows) {
            int number = numbers.size();
            numbers.put(window, number);
            window.from().snapshot().oldInProgress().forEach(tx -> old.add(new OldTransaction(number, tx)));
        }
        return connections.read(
                "read blocked keys",
                readWindows,
                bind -> bind.column("int2", windows, KeyWindow::lane)
                        .column("int2", windows, numbers::get)
                        .texts("key", windows, KeyWindow::key)
                        .texts("cursor", windows, window -> CursorText.of(window.from()))
                        .texts("cursor", windows, window -> CursorText.of(window.to()))
                        .column("int8", windows, KeyWindow::passed)
                        .column("int4", windows, KeyWindow::limit)
                        .texts(
                                "transaction",
                                windows,
                                window -> Long.toString(window.from().snapshot().lateFloor()))
                        .column("int2", old, OldTransaction::of)
                        .texts("transaction", old, one -> Long.toString(one.tx())),
                rows -> windows(rows, windows));
    }

    private Windows windows(ResultSet rows, List<KeyWindow> asked) throws SQLException {
        Map<KeyWindow, List<LogEvent>> found = new HashMap<>();
        @Nullable String incarnation = null;
        while (rows.next()) {
            int number = rows.getInt(1);
            if (number < 0) {
                incarnation = connections.ofPrimary(EventRows.incarnation(rows));
                connections.foundPlans(EventRows.hasPlainPlans(rows));
            } else {
                KeyWindow window = asked.get(number);
                found.computeIfAbsent(window, any -> new ArrayList<>()).add(EventRows.read(rows, window.lane()));
            }
        }
        return new Windows(Objects.requireNonNull(incarnation), found);
    }

    @Override
    public Map<UUID, Long> sizes(List<UUID> ids) {
        return connections.read("measure events", eventSizes, bind -> bind.array("uuid", ids), rows -> {
            Map<UUID, Long> sizes = new HashMap<>();
            while (rows.next()) {
                sizes.put(rows.getObject(1, UUID.class), rows.getLong(2));
            }
            return sizes;
        });
    }

    @Override
    public Map<UUID, Event> fetch(List<UUID> ids) {
        return connections.read("fetch payloads", fetchEvents, bind -> bind.array("uuid", ids), rows -> {
            Map<UUID, Event> events = new HashMap<>();
            while (rows.next()) {
                Event event = EventRows.readWhole(rows);
                events.put(event.id(), event);
            }
            return events;
        });
    }
}
