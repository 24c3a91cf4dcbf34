package dev.posthorn.relay;

import dev.posthorn.relay.Log.KeyWindow;
import dev.posthorn.relay.Log.LaneRead;
import dev.posthorn.relay.Log.LaneRows;
import dev.posthorn.relay.SimulatedEvent.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The append-only table and Postgres' transaction ids and snapshots: who sees which row when. */
final class SimulatedLog {

    private static final Comparator<SimulatedEvent> BY_SEQ = Comparator.comparingLong(row -> row.seq);

    final List<SimulatedEvent> rows = new ArrayList<>();
    private final Set<StoreRule> off;
    private final Clockwork clock;
    private final TreeSet<Long> active = new TreeSet<>();
    private long nextXid = 100;
    private long latestCompleted = 99;
    private long nextSeq = 1;
    /** What is added to the cluster's transaction ids where they enter the log. */
    private long shift;

    private final Map<String, Integer> lanes = new HashMap<>();
    private long commits;
    /** Of this moment, once someone asked; taking one is slow. */
    private @Nullable Snapshot newest;

    SimulatedLog(Clockwork clock, Set<StoreRule> off) {
        this.clock = clock;
        this.off = off;
    }

    // ---- writing

    long nextSeq() {
        return nextSeq++;
    }

    long lastSeq() {
        return nextSeq - 1;
    }

    /** How many commits there have been, in whatever history. */
    long commits() {
        return commits;
    }

    long nextCommit() {
        return ++commits;
    }

    int laneOf(String key) {
        return lanes.computeIfAbsent(key, any -> lanes.size() % SimulatedDatabase.LANES);
    }

    /** The cluster's transaction id as the log has it. */
    long inLog(long xid) {
        return xid + shift;
    }

    long assignXid() {
        active.add(nextXid);
        newest = null;
        return nextXid++;
    }

    void ended(long xid) {
        active.remove(xid);
        newest = null;
        latestCompleted = Math.max(latestCompleted, xid);
    }

    /** They are pruned. */
    void remove(Set<SimulatedEvent> gone) {
        rows.removeAll(gone);
        gone.forEach(row -> row.pruned = true);
    }

    SimulatedEvent committed(long seq) {
        return rows.stream()
                .filter(row -> row.seq == seq && row.isCommitted())
                .findFirst()
                .orElseThrow(() -> new Violation("I2 a row was written for seq " + seq + ", which is no event"));
    }

    // ---- seeing

    Snapshot snapshot() {
        Snapshot known = newest;
        if (known == null) {
            known = takeSnapshot();
            newest = known;
        }
        return known;
    }

    private Snapshot takeSnapshot() {
        long xmax = latestCompleted + 1;
        Set<Long> running = active.headSet(xmax);
        if (off.contains(StoreRule.SNAPSHOTS_NAME_WHAT_IS_IN_PROGRESS)) {
            running = Set.of();
        }
        long xmin = running.isEmpty() ? xmax : running.iterator().next();
        return new Snapshot(inLog(xmin) + ":" + inLog(xmax) + ":"
                + running.stream().map(xid -> String.valueOf(inLog(xid))).collect(Collectors.joining(",")));
    }

    /** What someone would take for a snapshot who does not know of transactions in progress. */
    Snapshot asIfNothingWereOpen() {
        return new Snapshot(inLog(nextXid) + ":" + inLog(nextXid) + ":");
    }

    LaneRows read(LaneRead lane, RouteFilter filter) {
        Cursor cursor = lane.cursor();
        List<LogEvent> fresh = withLast(
                find(lane.freshLimit(), row -> row.lane == lane.lane() && row.seq > cursor.position()), filter);
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
    private static List<LogEvent> withLast(List<LogEvent> rows, RouteFilter filter) {
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

    List<LogEvent> readWindow(KeyWindow window, RouteFilter filter) {
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
        List<SimulatedEvent> found = new ArrayList<>();
        for (SimulatedEvent row : rows) {
            if (row.isCommitted() && wanted.test(row)) {
                found.add(row);
            }
        }
        found.sort(BY_SEQ);
        return found.stream().limit(limit).map(this::asRead).toList();
    }

    LogEvent asRead(SimulatedEvent row) {
        Duration delay = row.isScheduled() ? Nanos.until(row.deliverAfter, clock.now()) : null;
        return new LogEvent(row.lane, row.seq, row.event, delay, row.omittedBytes);
    }

    // ---- failing over to an older copy of itself

    /** What a replica has received so far. */
    record Copy(
            Map<SimulatedEvent, Fate> rows,
            TreeSet<Long> active,
            long nextXid,
            long latest,
            long nextSeq,
            long shift) {}

    Copy copy() {
        Map<SimulatedEvent, Fate> fates = new LinkedHashMap<>();
        rows.forEach(row -> fates.put(row, row.fate));
        return new Copy(fates, new TreeSet<>(active), nextXid, latestCompleted, nextSeq, shift);
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
            row.pruned = false;
        }
        rows.removeIf(row -> row.fate == Fate.LOST);
        rows.forEach(row -> row.before.removeIf(earlier -> earlier.fate == Fate.LOST));
        active.clear();
        newest = null;
        nextXid = copy.nextXid();
        latestCompleted = copy.active().isEmpty()
                ? copy.latest()
                : Math.max(copy.latest(), copy.active().last());
        nextSeq = copy.nextSeq();
        shift = copy.shift();
    }

    // ---- coming to life in another cluster

    long nextXid() {
        return nextXid;
    }

    void moveTo(long xid) {
        nextXid = xid;
        latestCompleted = xid - 1;
        newest = null;
    }

    void moveLanes(Dice dice) {
        lanes.replaceAll((key, lane) -> dice.between(0, SimulatedDatabase.LANES - 1));
        rows.forEach(
                row -> row.lane = row.key == null ? dice.between(0, SimulatedDatabase.LANES - 1) : laneOf(row.key));
    }

    /** Every id to come is above this one of the log's. */
    void shiftAbove(long known) {
        long oldest = active.isEmpty() ? latestCompleted + 1 : Math.min(active.first(), latestCompleted + 1);
        if (inLog(oldest) <= known) {
            shift = known + 1 - oldest;
            newest = null;
        }
    }
}
