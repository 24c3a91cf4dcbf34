package dev.posthorn.relay;

import dev.posthorn.relay.Log.KeyWindow;
import dev.posthorn.relay.Log.LaneRead;
import dev.posthorn.relay.Log.LaneRows;
import dev.posthorn.relay.SimulatedEvent.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The append-only table and Postgres' transaction ids and snapshots: who sees which row when. */
final class SimulatedLog {

    final List<SimulatedEvent> rows = new ArrayList<>();
    private final Set<StoreRule> off;
    private final Clockwork clock;
    final RouteFilter filter;
    private final TreeSet<Long> active = new TreeSet<>();
    private long nextXid = 100;
    private long latestCompleted = 99;
    private long nextSeq = 1;

    SimulatedLog(Clockwork clock, RouteFilter filter, Set<StoreRule> off) {
        this.clock = clock;
        this.filter = filter;
        this.off = off;
    }

    // ---- writing

    long nextSeq() {
        return nextSeq++;
    }

    long assignXid() {
        active.add(nextXid);
        return nextXid++;
    }

    void ended(long xid) {
        active.remove(xid);
        latestCompleted = Math.max(latestCompleted, xid);
    }

    /** They are pruned. */
    void remove(Set<SimulatedEvent> gone) {
        rows.removeAll(gone);
    }

    // ---- seeing

    Snapshot snapshot() {
        long xmax = latestCompleted + 1;
        Set<Long> running = active.headSet(xmax);
        if (off.contains(StoreRule.SNAPSHOTS_NAME_WHAT_IS_IN_PROGRESS)) {
            running = Set.of();
        }
        long xmin = running.isEmpty() ? xmax : running.iterator().next();
        return new Snapshot(
                xmin + ":" + xmax + ":" + running.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    LaneRows read(LaneRead lane) {
        Cursor cursor = lane.cursor();
        List<LogEvent> fresh =
                withLast(find(lane.freshLimit(), row -> row.lane == lane.lane() && row.seq > cursor.position()));
        List<LogEvent> late = off.contains(StoreRule.READS_BRING_LATE_ROWS)
                ? List.of()
                : find(
                        lane.lateLimit() + 1,
                        row -> row.lane == lane.lane()
                                && row.seq <= cursor.position()
                                && !cursor.snapshot().sees(row.tx));
        return new LaneRows(lane.lane(), fresh, late);
    }

    /** Only what is the route's, and the last row whatever it is: so much is promised. */
    private List<LogEvent> withLast(List<LogEvent> rows) {
        return rows.stream()
                .filter(row -> filter.wants(row.event())
                        || row.seq() == rows.get(rows.size() - 1).seq())
                .toList();
    }

    LaneRows readPinned(LaneRead lane) {
        Cursor cursor = lane.cursor();
        Snapshot pin = Objects.requireNonNull(cursor.pin());
        List<LogEvent> late = find(
                lane.lateLimit() + 1,
                row -> row.lane == lane.lane()
                        && row.seq <= cursor.position()
                        && row.seq > cursor.late()
                        && !cursor.snapshot().sees(row.tx)
                        && pin.sees(row.tx));
        return new LaneRows(lane.lane(), List.of(), late);
    }

    List<LogEvent> readWindow(KeyWindow window) {
        return find(
                window.limit(),
                row -> row.lane == window.lane()
                        && window.key().equals(row.key)
                        && !row.isScheduled()
                        && filter.wants(row.event)
                        && row.seq > window.passed()
                        && window.to().covers(row.tx, row.seq)
                        && !window.from().covers(row.tx, row.seq));
    }

    private List<LogEvent> find(int limit, Predicate<SimulatedEvent> wanted) {
        return rows.stream()
                .filter(SimulatedEvent::isCommitted)
                .filter(wanted)
                .sorted(Comparator.comparingLong(row -> row.seq))
                .limit(limit)
                .map(this::asRead)
                .toList();
    }

    LogEvent asRead(SimulatedEvent row) {
        Duration delay = row.isScheduled() ? Nanos.until(row.deliverAfter, clock.now()) : null;
        return new LogEvent(row.lane, row.seq, row.event, delay, row.omittedBytes);
    }

    // ---- failing over to an older copy of itself

    /** What a replica has received so far. */
    record Copy(Map<SimulatedEvent, Fate> rows, TreeSet<Long> active, long nextXid, long latest, long nextSeq) {}

    Copy copy() {
        Map<SimulatedEvent, Fate> fates = new LinkedHashMap<>();
        rows.forEach(row -> fates.put(row, row.fate));
        return new Copy(fates, new TreeSet<>(active), nextXid, latestCompleted, nextSeq);
    }

    /** The copy takes over: what was open in it is rolled back, what it never received is lost, numbers are used again. */
    void failOverTo(Copy copy) {
        copy.rows().keySet().stream()
                .filter(row -> !rows.contains(row))
                .toList()
                .forEach(rows::add);
        for (SimulatedEvent row : rows) {
            Fate then = copy.rows().get(row);
            row.fate = then == null || then == Fate.OPEN ? Fate.LOST : then;
        }
        rows.removeIf(row -> row.fate == Fate.LOST);
        rows.forEach(row -> row.before.removeIf(earlier -> earlier.fate == Fate.LOST));
        active.clear();
        nextXid = copy.nextXid();
        latestCompleted = copy.active().isEmpty()
                ? copy.latest()
                : Math.max(copy.latest(), copy.active().last());
        nextSeq = copy.nextSeq();
    }
}
