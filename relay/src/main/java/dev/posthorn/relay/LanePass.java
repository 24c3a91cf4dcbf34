package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.Changes;
import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.DetourKind;
import dev.posthorn.relay.CheckpointStore.FailedAttempt;
import dev.posthorn.relay.CheckpointStore.LaneFlush;
import dev.posthorn.relay.Item.Origin;
import dev.posthorn.relay.Item.State;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves one lane's checkpoint once: {@link #collect} decides what one transaction shall say, {@link #committed} takes
 * the consequences.
 *
 * <p>The checkpoint goes over whole batches, in order of reading, and only over such whose events are each confirmed,
 * or get a row in the same transaction: FAILED or SCHEDULED as a detour, everything else by blocking its key. A key is
 * marked as blocked before the transaction begins, so that nothing of it is sent from the queue meanwhile. What
 * <em>opens</em> a gate (a key that returns, a dead event that is passed) happens only after the commit. If there is no
 * commit the lane is thrown away, so nothing has to be undone.
 */
final class LanePass {

    /** What an unanswered event means for the checkpoint. */
    enum Mode {
        /** It holds the checkpoint up, for a while. */
        USUAL,
        /** The lane is about to be given up: it must not hold up what is confirmed. */
        LEAVING,
        /** The transaction also holds what was done about confirmed events: it must pass them all, whatever is before them. */
        TOGETHER
    }

    private final Lane lane;
    private final Workshop shop;
    private final long now;
    private final Mode mode;
    private final List<KeyGate> returning = new ArrayList<>(0);
    private final Set<KeyGate> opening = new LinkedHashSet<>(0);
    private final List<BlockedKey> blockedRows = new ArrayList<>(0);
    private final List<Detour> detourRows = new ArrayList<>(0);
    private final Set<Long> stillInFlight = new HashSet<>(0);
    private int batches;
    private Cursor target;

    private LanePass(Lane lane, long now, Mode mode) {
        this.lane = lane;
        this.shop = lane.shop;
        this.now = now;
        this.mode = mode;
        this.target = lane.committed;
    }

    /** A transaction's share of this lane: what to write and how to go on after it. */
    record Collected(LanePass pass, LaneFlush flush) {}

    /**
     * What this lane would write now, or empty if nothing. Empty also while another flush of it is under way: that one has
     * taken changes along which this one would pass without.
     */
    static Optional<Collected> collect(Lane lane, long now, Mode mode) {
        if (lane.flushing) {
            return Optional.empty();
        }
        LanePass pass = new LanePass(lane, now, mode);
        pass.findReturning();
        pass.findPassable();
        if (pass.batches == 0 && !lane.changed && lane.attempts.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Collected(pass, pass.write()));
    }

    /** A checkpoint that passes nothing. */
    static Collected unmoved(Lane lane, long now) {
        LanePass pass = new LanePass(lane, now, Mode.USUAL);
        return new Collected(pass, pass.write());
    }

    Lane lane() {
        return lane;
    }

    private void findReturning() {
        for (KeyGate gate : lane.blocked.values()) {
            BlockedCursor own = gate.blocked;
            if (own != null && own.finished && own.from.equals(lane.committed)) {
                returning.add(gate);
            } else if (own != null && own.finished) {
                stay(gate, own);
            }
        }
    }

    private void stay(KeyGate gate, BlockedCursor own) {
        own.finished = false;
        own.to = lane.committed;
        lane.advance(gate);
    }

    private void findPassable() {
        int needed = mode == Mode.TOGETHER ? throughLastConfirmed() : 0;
        for (Batch batch : lane.batches) {
            if (batches < needed) {
                batch.items.forEach(this::keepBlocked);
            } else if (batch.unresolved > 0 && !mayPass(batch)) {
                return;
            }
            batches++;
            target = batch.after;
        }
    }

    /** How many batches there are up to the last one with a confirmed event. */
    private int throughLastConfirmed() {
        int needed = 0;
        int number = 0;
        for (Batch batch : lane.batches) {
            number++;
            if (batch.items.stream().anyMatch(item -> item.state == State.CONFIRMED)) {
                needed = number;
            }
        }
        return needed;
    }

    /** A key whose events are passed unpublished can not return to the lane in the same flush. */
    private void keepBlocked(Item item) {
        KeyGate gate = item.gate;
        if (gate != null && item.isUnresolved() && gate.blocked != null && returning.remove(gate)) {
            stay(gate, gate.blocked);
        }
    }

    private boolean mayPass(Batch batch) {
        if (!shop.isOn(Safeguard.CHECKPOINT_PASSES_ONLY_RESOLVED)) {
            return true;
        }
        if (mode == Mode.LEAVING && batch.unresolved == batch.items.size()) {
            return false;
        }
        for (Item item : batch.items) {
            if (item.isUnresolved() && !mayLeaveTheLane(item)) {
                return false;
            }
        }
        return true;
    }

    /** Whether an unresolved event may go on outside the lane, because its key waits or shall wait. */
    private boolean mayLeaveTheLane(Item item) {
        KeyGate gate = item.gate;
        if (gate == null) {
            return mode == Mode.LEAVING || item.attempts > 0 || shop.sendQueue().isStraggler(item, now);
        }
        if (gate.blocked != null) {
            return !returning.contains(gate);
        }
        Item head = gate.queue.peekFirst();
        return mode == Mode.LEAVING
                || head == null
                || head.attempts > 0
                || head.state == State.DEAD
                || shop.sendQueue().isStraggler(head, now);
    }

    private LaneFlush write() {
        int left = batches;
        for (Batch batch : lane.batches) {
            if (left-- == 0) {
                break;
            }
            if (!batch.isPlain() && shop.isOn(Safeguard.CHECKPOINT_PASSES_ONLY_RESOLVED)) {
                batch.items.forEach(item -> pass(batch, item));
            }
        }
        writeBlocked();
        detourRows.addAll(lane.detourChanges.values());
        List<FailedAttempt> attempts = List.copyOf(lane.attempts);
        lane.attempts.clear();
        lane.changed = false;
        lane.flushing = true;
        Changes changes = new Changes(
                List.copyOf(blockedRows),
                returning.stream().map(gate -> gate.key).toList(),
                List.copyOf(detourRows),
                List.copyOf(lane.finishedDetours),
                attempts);
        lane.finishedDetours.clear();
        lane.detourChanges.clear();
        return new LaneFlush(lane.lease, lane.n + 1, target, changes);
    }

    private void pass(Batch batch, Item item) {
        if (item.state == State.SCHEDULED) {
            detourRows.add(Detour.of(item.seq(), DetourKind.SCHEDULED, item.event, item.trouble(now)));
        } else if (item.gate == null) {
            passWithoutKey(item);
        } else if (item.state != State.CONFIRMED) {
            passOfKey(batch, item, item.gate);
        }
    }

    private void passWithoutKey(Item item) {
        if (item.state == State.DEAD) {
            detourRows.add(Detour.of(item.seq(), DetourKind.FAILED, item.event, item.trouble(now)));
        } else if (item.isUnresolved()) {
            detourRows.add(Detour.of(item.seq(), DetourKind.RETRY, item.event, item.trouble(now)));
            if (item.state == State.IN_FLIGHT) {
                item.origin = Origin.DETOUR;
                item.detour = DetourKind.RETRY;
                lane.activeDetours.add(item.seq());
                stillInFlight.add(item.seq());
            } else {
                item.state = State.PASSED;
            }
        }
    }

    private void passOfKey(Batch batch, Item item, KeyGate gate) {
        gate.queue.remove(item);
        if (item.state == State.DEAD) {
            detourRows.add(Detour.of(item.seq(), DetourKind.FAILED, item.event, item.trouble(now)));
            opening.add(gate);
            if (shop.policy().afterDead() == AfterDead.HOLD) {
                lane.block(gate, BlockedCursor.heldBy(item, batch));
            }
            gate.awaitsCommit = shop.isOn(Safeguard.DEAD_IS_COMMITTED_FIRST);
        } else if (gate.blocked != null && isSentBehindTheHead(item, gate)) {
            leaveInFlight(item, gate);
        } else if (gate.blocked != null) {
            item.state = State.PASSED;
        } else {
            lane.block(gate, BlockedCursor.at(item, batch));
            if (item.state == State.IN_FLIGHT) {
                leaveInFlight(item, gate);
            } else {
                item.state = State.PASSED;
            }
        }
    }

    /** Its key was blocked in this pass, and the two are of one run. */
    private static boolean isSentBehindTheHead(Item item, KeyGate gate) {
        Item last = gate.window.peekLast();
        return item.state == State.IN_FLIGHT
                && last != null
                && last.batch == item.batch
                && last.state == State.IN_FLIGHT;
    }

    private static void leaveInFlight(Item item, KeyGate gate) {
        item.origin = Origin.WINDOW;
        gate.window.addLast(item);
    }

    private void writeBlocked() {
        for (KeyGate gate : lane.blocked.values()) {
            BlockedCursor own = gate.blocked;
            if (own == null || returning.contains(gate)) {
                continue;
            }
            writeDeadHead(gate, own);
            if (own.changed) {
                own.changed = false;
                blockedRows.add(own.toRow(gate.key, now));
                opening.add(gate);
            }
        }
    }

    private void writeDeadHead(KeyGate gate, BlockedCursor own) {
        @Nullable Item head = gate.window.peekFirst();
        if (head == null || head.state != State.DEAD) {
            return;
        }
        gate.window.removeFirst();
        boolean hold = shop.policy().afterDead() == AfterDead.HOLD;
        own.dead(head, hold);
        if (hold) {
            gate.window.clear();
        }
        gate.awaitsCommit = true;
        detourRows.add(Detour.of(head.seq(), DetourKind.FAILED, head.event, head.trouble(now)));
    }

    /** The transaction is committed: the lane stands at its new checkpoint, and gates open. */
    void committed(LaneFlush flush) {
        lane.committed = target;
        lane.n = flush.n();
        lane.flushing = false;
        for (int i = 0; i < batches; i++) {
            Batch batch = lane.batches.removeFirst();
            lane.heldEvents -= batch.items.size();
            lane.heldBytes -= batch.bytes;
        }
        flush.changes().finished().forEach(lane.activeDetours::remove);
        for (Detour detour : flush.changes().detours()) {
            if (!stillInFlight.contains(detour.seq())) {
                lane.activeDetours.remove(detour.seq());
            }
            if (detour.kind() != DetourKind.FAILED) {
                lane.shop.counters().detourDue(now + detour.trouble().pause().toNanos());
            }
        }
        for (KeyGate gate : returning) {
            gate.blocked = null;
            lane.blocked.remove(gate.key);
            lane.advance(gate);
        }
        for (KeyGate gate : opening) {
            gate.awaitsCommit = false;
            if (gate.blocked != null) {
                gate.blocked.stored = true;
            }
            lane.advance(gate);
        }
    }
}
