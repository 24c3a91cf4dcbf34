package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.DueDetour;
import dev.posthorn.relay.CheckpointStore.FailedAttempt;
import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.Item.Origin;
import dev.posthorn.relay.Item.State;
import dev.posthorn.relay.Log.KeyWindow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One lane in this relay's memory: how far it was read, what of that is not checkpointed, and one gate per key.
 *
 * <p>An event's way through here: {@link LaneIntake} puts it in a batch and behind its key's gate; when it is its turn
 * the {@link SendQueue} sends it; {@link LaneOutcomes} takes the answer; {@link LanePass} moves the checkpoint over
 * batches whose events are all confirmed or have a row of their own. If anything is in doubt the whole object is thrown
 * away and loaded again: the database is the truth, this is a cache of it.
 *
 * <p>Touched only under the relay's lock.
 */
final class Lane {

    private static final int IDLE_GATES_KEPT = 4_096;
    private static final long DETOUR_BYTES = 4_096;

    final LeaseStore.Lease lease;
    final String incarnation;
    final Workshop shop;
    final LaneIntake intake;
    final LaneOutcomes outcomes;
    final ArrayDeque<Batch> batches = new ArrayDeque<>();
    final Map<String, KeyGate> blocked = new LinkedHashMap<>();
    final List<FailedAttempt> attempts = new ArrayList<>();
    final Map<Long, Detour> detourChanges = new LinkedHashMap<>();
    final List<Long> finishedDetours = new ArrayList<>();
    final Set<Long> activeDetours = new HashSet<>();
    final Set<KeyGate> windowsWanted = new LinkedHashSet<>();
    private final Map<String, KeyGate> gates = new HashMap<>();

    /** How far it was read. */
    Cursor cursor;
    /** The newest checkpoint. */
    Cursor committed;

    long n;
    long trustedUntil;
    int heldEvents;
    long heldBytes;
    /** What rows of blocked keys and detours take, as of the last count. */
    long offLaneBytes;

    int inFlight;
    /** Something changed that only a flush makes durable. */
    boolean changed;
    /** A flush took the changes along and has not committed. */
    boolean flushing;
    /** A read of it is under way. */
    boolean reading;
    /** Being handed to another relay: finish what was begun, begin nothing. */
    boolean draining;
    /** Thrown away; answers that still arrive mean nothing. */
    boolean gone;

    Lane(LaneState state, LeaseStore.Lease lease, Workshop shop) {
        this.lease = lease;
        this.incarnation = state.incarnation();
        this.shop = shop;
        this.intake = new LaneIntake(this);
        this.outcomes = new LaneOutcomes(this);
        this.cursor = state.cursor();
        this.committed = state.cursor();
        this.n = state.n();
        long now = shop.now();
        state.blocked().forEach(row -> block(gate(row.key()), BlockedCursor.stored(row, now)));
        blocked.values().forEach(this::advance);
    }

    /** No lane: what a publication belongs to after its lane was thrown away. */
    static Lane nowhere(Workshop shop) {
        Cursor start = Cursor.at(new Snapshot("1:1:"), 0);
        Lane lane =
                new Lane(new LaneState(-1, 0, start, "", RouteMode.OPEN, List.of()), new LeaseStore.Lease(-1, 0), shop);
        lane.gone = true;
        return lane;
    }

    int number() {
        return lease.lane();
    }

    /** Whether the lease surely still stands, by this process' own monotonic clock. */
    boolean isTrusted(long now) {
        return !gone && trustedUntil - now > 0;
    }

    int room() {
        RelayConfig.LaneLimit limit = shop.config().lane();
        return heldBytes >= limit.bytes() ? 0 : Math.max(0, limit.events() - heldEvents);
    }

    void recount() {
        long bytes = activeDetours.size() * DETOUR_BYTES;
        for (KeyGate gate : blocked.values()) {
            for (Item item : gate.window) {
                bytes += item.row.bytes();
            }
        }
        offLaneBytes = bytes;
    }

    // ---- gates

    KeyGate gate(String key) {
        return gates.computeIfAbsent(key, KeyGate::new);
    }

    /** Keys come and go: the gate of every key that ever was would stay in memory. */
    void forgetIdleGates() {
        if (gates.size() > IDLE_GATES_KEPT + 2 * heldEvents) {
            gates.values().removeIf(KeyGate::isIdle);
        }
    }

    /** Lets the key's next event through if it is its turn. */
    void advance(KeyGate gate) {
        Item next = next(gate);
        if (next != null && next.state == State.QUEUED) {
            if (Nanos.reached(next.due, shop.now())) {
                shop.sendQueue().ready(next);
            } else {
                shop.sendQueue().at(this, next.due, () -> advance(gate));
            }
        } else if (next == null) {
            wantWindow(gate);
        }
    }

    private @Nullable Item next(KeyGate gate) {
        if (gone || (gate.inFlight > 0 && shop.isOn(Safeguard.ONE_IN_FLIGHT_PER_KEY)) || gate.awaitsCommit) {
            return null;
        }
        if (!gate.detours.isEmpty() && !draining) {
            return gate.detours.peekFirst();
        }
        BlockedCursor own = gate.blocked;
        if (own != null && shop.isOn(Safeguard.BLOCKED_KEY_PUBLISHES_FROM_ITS_CURSOR)) {
            return own.held || draining ? null : gate.window.peekFirst();
        }
        if (shop.isOn(Safeguard.ONE_IN_FLIGHT_PER_KEY)) {
            return gate.queue.peekFirst();
        }
        return gate.queue.stream()
                .filter(i -> i.state == State.QUEUED)
                .findFirst()
                .orElse(null);
    }

    /**
     * The events of the key right behind this one that may be sent together with it: none that was tried before, and all
     * of one read, because a blocked key's cursor goes by reads.
     */
    List<Item> followers(Item head, int most) {
        if (most <= 0 || head.gate == null || head.origin == Origin.DETOUR || head.attempts > 0) {
            return List.of();
        }
        ArrayDeque<Item> line = head.origin == Origin.LANE ? head.gate.queue : head.gate.window;
        if (line.size() <= 1) {
            return List.of();
        }
        List<Item> followers = new ArrayList<>(Math.min(most, line.size()));
        for (Item item : line) {
            if (item == head) {
                continue;
            }
            if (followers.size() == most || !mayGoWith(head, item)) {
                break;
            }
            followers.add(item);
        }
        return followers;
    }

    private boolean mayGoWith(Item head, Item item) {
        return item.state == State.QUEUED
                && item.attempts == 0
                && !item.payloadMissing
                && (item.batch == head.batch || !shop.isOn(Safeguard.A_RUN_IS_OF_ONE_READ));
    }

    boolean stillNext(Item item) {
        if (item.gate == null) {
            return item.origin != Origin.DETOUR || !draining;
        }
        return next(item.gate) == item || !shop.isOn(Safeguard.ONE_IN_FLIGHT_PER_KEY);
    }

    /** It was its turn and is not any more. A detour without a key waits for the next look at what is due. */
    void putBack(Item item) {
        item.state = State.QUEUED;
        if (item.gate == null) {
            activeDetours.remove(item.seq());
        }
    }

    /** Asks for the blocked key's next rows once they are wanted. */
    private void wantWindow(KeyGate gate) {
        BlockedCursor own = gate.blocked;
        if (own == null || own.held || !own.stored || own.finished || gone || gate.awaitsCommit) {
            return;
        }
        if (gate.inFlight > 0 || !gate.window.isEmpty()) {
            return;
        }
        if (Nanos.reached(own.due, shop.now())) {
            windowsWanted.add(gate);
        } else {
            shop.sendQueue().at(this, own.due, () -> advance(gate));
        }
    }

    /** A wish may be old: rows that were asked for before may have come since, and the first of them may hold the key now. */
    boolean stillWantsWindow(KeyGate gate) {
        return gate.blocked != null && !standsStill(gate.blocked) && gate.window.isEmpty() && gate.inFlight == 0;
    }

    private boolean standsStill(BlockedCursor own) {
        return own.held && shop.isOn(Safeguard.HELD_KEYS_STAND_STILL);
    }

    void block(KeyGate gate, BlockedCursor own) {
        gate.blocked = own;
        blocked.put(gate.key, gate);
    }

    void sending(Item item) {
        inFlight++;
        if (item.gate != null) {
            item.gate.inFlight++;
        }
    }

    /** The answer to an event of this lane is there: its gate is free again. */
    void answered(Item item) {
        inFlight--;
        if (item.gate != null) {
            item.gate.inFlight--;
        }
    }

    // ---- blocked keys and detours

    KeyWindow windowOf(KeyGate gate, int limit) {
        BlockedCursor own = Objects.requireNonNull(gate.blocked);
        return new KeyWindow(number(), gate.key, own.from, own.to, own.passed, own.attempts > 0 ? 1 : limit);
    }

    /** Takes in the rows of a blocked key that were asked for. */
    void admitWindow(KeyGate gate, KeyWindow asked, List<LogEvent> rows) {
        BlockedCursor own = gate.blocked;
        boolean stale = own == null
                || standsStill(own)
                || own.passed != asked.passed()
                || !own.to.equals(asked.to())
                || !own.from.equals(asked.from())
                || !gate.window.isEmpty();
        if (stale) {
            advance(gate);
            return;
        }
        rows.forEach(row -> gate.window.addLast(Item.ofWindow(this, row, gate)));
        Item head = gate.window.peekFirst();
        if (head == null) {
            Objects.requireNonNull(own).nextRange(committed);
            changed = true;
            if (!shop.isOn(Safeguard.KEY_RETURNS_AT_ITS_CHECKPOINT)) {
                gate.blocked = null;
                blocked.remove(gate.key);
            }
        } else {
            head.attempts = Objects.requireNonNull(own).attempts;
            head.doubt = own.doubt;
            head.redriven = Long.valueOf(head.seq()).equals(own.redriven);
        }
        advance(gate);
    }

    /** A detour of this lane is due. */
    void admitDetour(DueDetour due) {
        if (gone || draining || !activeDetours.add(due.detour().seq())) {
            return;
        }
        KeyGate gate = due.row().event().key().map(this::gate).orElse(null);
        Item item = Item.ofDetour(this, due, gate);
        if (gate == null) {
            shop.sendQueue().ready(item);
        } else {
            gate.detours.addLast(item);
            advance(gate);
        }
    }

    /** An operator let the key go on. */
    void released(CheckpointStore.BlockedKey row) {
        KeyGate gate = blocked.get(row.key());
        if (gate != null && gate.blocked != null && gate.blocked.held && gate.blocked.stored) {
            gate.blocked = BlockedCursor.stored(row, shop.now());
            gate.window.clear();
            advance(gate);
        }
    }

    /** Begins or ends the handover. Every gate is asked again: what may go next is another event now. */
    void drain(boolean begin) {
        if (draining != begin) {
            draining = begin;
            gates.values().forEach(this::advance);
        }
    }

    /** Nothing of it is under way or unwritten: another relay may take it without a duplicate. */
    boolean isDrained() {
        return batches.isEmpty() && inFlight == 0 && !changed && !flushing;
    }
}
