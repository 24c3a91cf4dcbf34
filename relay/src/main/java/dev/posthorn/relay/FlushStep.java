package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.Due;
import dev.posthorn.relay.CheckpointStore.LaneFlush;
import dev.posthorn.relay.LanePass.Collected;
import dev.posthorn.relay.Log.KeyWindow;
import dev.posthorn.relay.Log.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes progress durable, and feeds what is off the way: rows of blocked keys, due detours, released keys.
 *
 * <p>All of it is one step on one thread, because a blocked key may return to its lane only if nothing moved the lane's
 * checkpoint between finding the key done and writing that.
 */
final class FlushStep {

    private static final int KEYS_AT_ONCE = 64;
    private static final int ROWS_OF_A_KEY = 64;
    private static final int DETOURS_AT_ONCE = 256;
    private static final long LOOK_FOR_CHANGES = Duration.ofMillis(500).toNanos();

    private final RelayState state;
    private final Log log;
    private final CheckpointStore checkpoints;
    private final String relay;
    private long lastFlush;
    private long nextLook;

    FlushStep(RelayState state, Relay.Stores stores) {
        this.state = state;
        this.log = stores.log();
        this.checkpoints = stores.checkpoints();
        this.relay = stores.relay();
        this.nextLook = state.shop().now();
        this.lastFlush = nextLook;
    }

    /** Returns whether anything was written or found. */
    boolean runOnce() {
        try {
            boolean fed = feedBlockedKeys();
            fed |= lookForChanges();
            boolean stalled = state.locked(() -> guard().isStalled());
            boolean flushed = stalled ? probe() : flushIsDue() && flush(false);
            state.send();
            return fed || flushed;
        } catch (Throwable unsure) {
            doubt(unsure);
            throw unsure;
        }
    }

    private void doubt(Throwable unsure) {
        if (unsure instanceof StoreException || state.shop().isOn(Safeguard.ANY_FAULT_OF_A_FLUSH_IS_A_DOUBT)) {
            state.locked(() -> state.doubt("the flush failed: " + Thrown.describe(unsure)));
        }
    }

    /** The last flush of a relay that stops. A lane with a flush under way is left to that one. */
    void flushLast() {
        try {
            boolean unused = flush(true);
        } catch (Throwable unsure) {
            doubt(unsure);
            throw unsure;
        }
    }

    // ---- blocked keys

    private boolean feedBlockedKeys() {
        if (!state.locked(() -> state.wantsWindows())) {
            return false;
        }
        MemoryBudget.Reservation reserved = memory().reserve(KEYS_AT_ONCE * ROWS_OF_A_KEY);
        try {
            return reserved.rows() > 0 && feedBlockedKeys(reserved.rows());
        } finally {
            state.locked(() -> memory().took(reserved, state.recountBytes(), 0));
        }
    }

    private MemoryBudget.Account memory() {
        return state.shop().sendQueue().memory;
    }

    private boolean feedBlockedKeys(int mostRows) {
        Map<KeyWindow, KeyGate> gates = new LinkedHashMap<>();
        Map<KeyWindow, Lane> lanes = new HashMap<>();
        state.locked(() -> wantedWindows(gates, lanes, mostRows));
        if (gates.isEmpty()) {
            return false;
        }
        Windows windows = log.readWindows(List.copyOf(gates.keySet()));
        state.locked(() -> gates.forEach((asked, gate) -> {
            Lane lane = lanes.get(asked);
            if (lane == null || !state.isCurrent(lane)) {
                return;
            }
            if (!windows.incarnation().equals(lane.incarnation)
                    && state.shop().isOn(Safeguard.INCARNATION_IS_CHECKED)) {
                state.drop(lane, "the database is another incarnation, " + windows.incarnation());
                return;
            }
            lane.admitWindow(gate, asked, windows.rows().getOrDefault(asked, List.of()));
        }));
        return true;
    }

    private void wantedWindows(Map<KeyWindow, KeyGate> gates, Map<KeyWindow, Lane> lanes, int mostRows) {
        long now = state.shop().now();
        boolean outage = state.shop().sendQueue().breaker.isOpen();
        boolean heldUp = state.shop().sendQueue().isHeldUp();
        int most = outage ? 1 : Math.min(KEYS_AT_ONCE, mostRows);
        int rows = Math.min(ROWS_OF_A_KEY, mostRows / most);
        for (Lane lane : state.lanes()) {
            if (!lane.isTrusted(now) || lane.draining || state.stopping || heldUp) {
                continue;
            }
            Iterator<KeyGate> wanted = lane.windowsWanted.iterator();
            while (wanted.hasNext() && gates.size() < most) {
                KeyGate gate = wanted.next();
                wanted.remove();
                if (lane.stillWantsWindow(gate)) {
                    KeyWindow window = lane.windowOf(gate, rows);
                    gates.put(window, gate);
                    lanes.put(window, lane);
                }
            }
        }
    }

    // ---- what others may have changed, and what has become due

    private boolean lookForChanges() {
        long now = state.shop().now();
        Counters counters = state.shop().counters();
        boolean due =
                state.locked(() -> Nanos.reached(counters.nextDetour, now) && counters.nextDetour != Long.MAX_VALUE);
        if (!due && !Nanos.reached(nextLook, now)) {
            return false;
        }
        nextLook = now + LOOK_FOR_CHANGES;
        boolean found = feedDetours();
        return feedReleased() || found;
    }

    private boolean feedDetours() {
        Map<Integer, Lane> lanes = new HashMap<>();
        boolean any = state.locked(() -> {
            state.shop().counters().nextDetour = Long.MAX_VALUE;
            long now = state.shop().now();
            for (Lane lane : state.lanes()) {
                if (lane.isTrusted(now) && !lane.draining && !state.stopping) {
                    lanes.put(lane.number(), lane);
                }
            }
            return !state.lanes().isEmpty();
        });
        if (!any) {
            return false;
        }
        // Also for lanes that are being handed over: what they hold goes out only if the route is not paused.
        int stops = state.locked(() -> state.stops);
        MemoryBudget.Reservation reserved = memory().reserve(DETOURS_AT_ONCE);
        try {
            // Those that are at hand come again with the others, and must not keep them out.
            int atHand = state.locked(() -> lanes.values().stream()
                    .mapToInt(lane -> lane.activeDetours.size())
                    .sum());
            int most = reserved.rows() == 0 ? 0 : Math.min(DETOURS_AT_ONCE, reserved.rows() + atHand);
            return takeDue(checkpoints.due(lanes.keySet(), most), lanes, stops);
        } finally {
            state.locked(() -> memory().took(reserved, state.recountBytes(), 0));
        }
    }

    private boolean takeDue(Due due, Map<Integer, Lane> lanes, int stops) {
        return state.locked(() -> {
            boolean resumed = state.looked(due.mode(), stops);
            if (state.isPaused()) {
                return false;
            }
            due.detours().forEach(detour -> {
                Lane lane = lanes.get(detour.row().lane());
                if (lane != null && state.isCurrent(lane)) {
                    lane.admitDetour(detour);
                }
            });
            return resumed || !due.detours().isEmpty();
        });
    }

    private boolean feedReleased() {
        Map<Lane, List<String>> held = new LinkedHashMap<>();
        state.locked(() -> state.lanes().forEach(lane -> {
            List<String> keys = lane.blocked.values().stream()
                    .filter(gate -> gate.blocked != null && gate.blocked.held && gate.blocked.stored)
                    .map(gate -> gate.key)
                    .toList();
            if (!keys.isEmpty()) {
                held.put(lane, keys);
            }
        }));
        boolean found = false;
        for (Map.Entry<Lane, List<String>> entry : held.entrySet()) {
            var released = checkpoints.released(entry.getKey().number(), entry.getValue());
            found |= !released.isEmpty();
            state.locked(() -> {
                if (state.isCurrent(entry.getKey())) {
                    released.forEach(entry.getKey()::released);
                }
            });
        }
        return found;
    }

    // ---- the flush

    private boolean flushIsDue() {
        int events = state.shop().config().flush().events();
        return state.locked(() -> state.shop().counters().sinceFlush >= events
                || Nanos.reached(dueAt(), state.shop().now()));
    }

    /** When a flush is due, however little there is for it. */
    long dueAt() {
        return lastFlush + state.shop().config().flush().every().toNanos();
    }

    /** One transaction for all lanes that have something to say. Returns whether there was anything. */
    private boolean flush(boolean leaving) {
        Map<String, List<Collected>> byIncarnation = new HashMap<>();
        state.locked(() -> {
            long now = state.shop().now();
            lastFlush = now;
            state.shop().counters().sinceFlush = 0;
            for (Lane lane : state.lanes()) {
                LanePass.collect(lane, now, leaving ? LanePass.Mode.LEAVING : LanePass.Mode.USUAL)
                        .ifPresent(found -> byIncarnation
                                .computeIfAbsent(lane.incarnation, any -> new ArrayList<>())
                                .add(found));
            }
        });
        byIncarnation.forEach((incarnation, collected) -> {
            if (write(incarnation, collected)) {
                state.locked(() -> guard().succeeded());
            }
        });
        return !byIncarnation.isEmpty();
    }

    /** Whether flushes go through again; nothing is in any lane then. Returns whether they do. */
    private boolean probe() {
        Optional<Collected> probe = state.locked(() -> {
            long now = state.shop().now();
            if (!guard().wantsProbe(now)) {
                return Optional.empty();
            }
            if (state.leases().isEmpty()) {
                guard().probed();
            }
            return state.lanes().stream()
                    .filter(lane -> lane.isTrusted(now) && !lane.draining && !lane.flushing)
                    .findFirst()
                    .map(lane -> LanePass.unmoved(lane, now));
        });
        if (probe.isEmpty() || !write(probe.get().pass().lane().incarnation, List.of(probe.get()))) {
            return false;
        }
        state.locked(() -> guard().probed());
        return true;
    }

    private FlushGuard guard() {
        return state.shop().sendQueue().flushes;
    }

    /** Returns whether anything was written. */
    private boolean write(String incarnation, List<Collected> collected) {
        List<LaneFlush> flushes = collected.stream().map(Collected::flush).toList();
        Set<Integer> lost = checkpoints.flush(relay, incarnation, flushes);
        state.locked(() -> {
            state.shop().counters().flushes++;
            for (Collected one : collected) {
                if (lost.contains(one.flush().lease().lane())) {
                    state.lostInFlush(one.pass().lane());
                } else if (state.isCurrent(one.pass().lane())) {
                    one.pass().committed(one.flush());
                }
            }
            memory().holds(state.heldBytes());
        });
        return lost.size() < collected.size();
    }
}
