package dev.posthorn.relay;

import dev.posthorn.relay.RouteTables.Blocked;
import dev.posthorn.relay.RouteTables.LaneTables;
import dev.posthorn.relay.RouteTables.Off;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the function rebase does to a log that was restored into another cluster: rows and cursors stay as they are, and
 * ids to come are shifted above all that they know. Where keys have other lanes than before, every lane begins again at
 * what all lanes had surely read.
 */
final class SimulatedRebase {

    private final Simulation simulation;
    private final SimulatedLog log;
    private boolean lanesMoved;

    SimulatedRebase(Simulation simulation) {
        this.simulation = simulation;
        this.log = simulation.database.log;
    }

    /** Keys are hashed otherwise here. */
    void moveLanes() {
        lanesMoved = true;
        log.moveLanes(simulation.dice);
    }

    /** Whoever has written to the outbox ends first: it is locked. */
    void run() {
        simulation.producers.endWriters();
        if (!simulation.database.isOff(StoreRule.RESTORED_LOGS_ARE_REBASED)) {
            log.shiftAbove(newestKnownXid());
        }
        for (SimulatedRoute route : simulation.routes.live) {
            if (lanesMoved) {
                regather(route);
            }
            route.tables.freeLeases();
            route.invariants.restored();
        }
    }

    private long newestKnownXid() {
        long newest = log.rows.stream().mapToLong(row -> row.tx).max().orElse(0);
        for (SimulatedRoute route : simulation.routes.live) {
            for (LaneTables lane : route.tables.lanes.values()) {
                Snapshot pin = lane.cursor.pin();
                newest = Math.max(newest, (pin == null ? lane.cursor.snapshot() : pin).xmax() - 1);
            }
        }
        return newest;
    }

    private void regather(SimulatedRoute route) {
        List<LaneTables> lanes = List.copyOf(route.tables.lanes.values());
        List<Cursor> before = lanes.stream().map(lane -> lane.cursor).toList();
        Cursor common = commonOf(before);
        moveRows(route.tables, lanes, common);
        if (simulation.database.isOff(StoreRule.LANES_THAT_MOVED_BEGIN_AGAIN)) {
            return;
        }
        simulation.log(() -> "the lanes of " + route + " begin again at " + common);
        for (LaneTables lane : lanes) {
            lane.cursor = common;
            lane.n++;
        }
        log.rows.stream()
                .filter(row -> !common.covers(row.tx, row.seq))
                .filter(row -> before.stream().anyMatch(cursor -> cursor.covers(row.tx, row.seq)))
                .forEach(row -> route.invariants.allowDuplicate(row, "its lane begins again before it"));
    }

    /** To where their keys are now. A detour that its lane will come by again goes, unless its key is blocked. */
    private void moveRows(RouteTables tables, List<LaneTables> lanes, Cursor common) {
        List<Blocked> blocked = new ArrayList<>();
        List<Off> detours = new ArrayList<>();
        for (LaneTables lane : lanes) {
            blocked.addAll(lane.blocked.values());
            detours.addAll(lane.detours.values());
            lane.blocked.clear();
            lane.detours.clear();
        }
        blocked.forEach(row ->
                tables.lane(log.laneOf(row.row().key())).blocked.put(row.row().key(), row));
        detours.stream()
                .filter(row -> common.covers(row.event().tx, row.event().seq) || isBlocked(row, blocked))
                .forEach(row -> tables.lane(row.event().lane).detours.put(row.event().seq, row));
    }

    private static boolean isBlocked(Off detour, List<Blocked> blocked) {
        return blocked.stream()
                .anyMatch(one -> one.row().key().equals(detour.row().key()));
    }

    /** What all of them cover, but for what only a pin covers: that is repeated. */
    private static Cursor commonOf(List<Cursor> cursors) {
        long xmax = cursors.stream()
                .mapToLong(cursor -> cursor.snapshot().xmax())
                .min()
                .orElseThrow();
        long position = cursors.stream().mapToLong(Cursor::position).min().orElseThrow();
        TreeSet<Long> running = new TreeSet<>();
        for (Cursor cursor : cursors) {
            String list =
                    cursor.snapshot().text().substring(cursor.snapshot().text().lastIndexOf(':') + 1);
            List.of(list.split(",")).stream()
                    .filter(xid -> !xid.isEmpty())
                    .map(Long::valueOf)
                    .forEach(running::add);
        }
        String below = running.headSet(xmax).stream().map(String::valueOf).collect(Collectors.joining(","));
        long xmin = running.headSet(xmax).isEmpty() ? xmax : running.first();
        return Cursor.at(new Snapshot(xmin + ":" + xmax + ":" + below), position);
    }
}
