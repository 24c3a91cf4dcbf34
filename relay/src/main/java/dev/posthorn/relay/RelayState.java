package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything the relay's steps share, under one lock. Nobody holds the lock across a call to the database or the
 * transport: a step takes what it needs, lets go, calls, and comes back with the answer.
 */
final class RelayState {

    private final MemoryLock lock = new MemoryLock(this::threwUnderTheLock);
    private final Map<Integer, Lane> lanes = new TreeMap<>();
    private final Map<Integer, Lease> leases = new HashMap<>();
    private final Map<Integer, Long> trust = new HashMap<>();
    private final Workshop shop;
    private final Sender sender;
    private final RelayLog log;
    /** Takes the place of events that nobody waits for, so that their lanes can be let go. */
    final Item nobody;
    /** No lane is read any more: the relay is going. */
    boolean stopping;
    /** A read was full: there is more than one reader can take in. */
    boolean backlog;
    /** How often the route was found to be paused. */
    int stops;
    /** Someone retired the route: no lane is held any more. */
    boolean retired;
    /** The leases are in doubt. */
    boolean renewSoon;
    /** A checkpoint may stand behind any event, and not only where a read ended. */
    boolean splitsReads;

    RelayState(Workshop shop, Answers answers, Publisher publisher, RelayLog log) {
        this.shop = shop;
        this.log = log;
        this.sender = new Sender(this, answers, publisher, log.publishing());
        this.nobody = Item.nobody(shop);
    }

    <T> T locked(Supplier<T> work) {
        return lock.locked(work);
    }

    void locked(Runnable work) {
        boolean unused = lock.locked(() -> {
            work.run();
            return true;
        });
    }

    private void threwUnderTheLock(Throwable thrown) {
        if (shop.isOn(Safeguard.ANY_FAULT_UNDER_THE_LOCK_IS_A_DOUBT)) {
            dropAll("something threw in the middle of a change: " + Thrown.describe(thrown));
        }
    }

    Workshop shop() {
        return shop;
    }

    RelayLog log() {
        return log;
    }

    // ---- leases (all under the lock)

    Collection<Lease> leases() {
        return leases.values();
    }

    /** The lanes whose leases stand, as far as this relay can know. */
    List<Integer> trustedLanes(long now) {
        return leases.keySet().stream()
                .filter(lane -> trust.getOrDefault(lane, now) - now > 0)
                .sorted()
                .toList();
    }

    void leased(Lease lease, long trustedUntil) {
        leases.put(lease.lane(), lease);
        trust.put(lease.lane(), trustedUntil);
        Lane lane = lanes.get(lease.lane());
        if (lane != null && lane.lease.equals(lease)) {
            lane.trustedUntil = trustedUntil;
        } else if (lane != null) {
            drop(lane, "it was lost and taken again");
        }
    }

    /** The lease is not ours any more. */
    void lost(Lease lease) {
        leases.remove(lease.lane(), lease);
        Lane lane = lanes.get(lease.lane());
        if (lane != null && lane.lease.equals(lease)) {
            drop(lane);
        }
    }

    List<Lease> leasesToLoad(long now) {
        return leases.values().stream()
                .filter(lease -> !lanes.containsKey(lease.lane()) && trust.getOrDefault(lease.lane(), now) - now > 0)
                .toList();
    }

    /** Takes in a lane. What its route may not publish is known before the first event of the lane is. */
    void loaded(LaneState state, Lease asked) {
        if (state.mode() != RouteMode.OPEN && shop.isOn(Safeguard.THE_MODE_COMES_WITH_THE_LANES)) {
            found(state.mode());
        }
        if (!retired && asked.equals(leases.get(asked.lane())) && !lanes.containsKey(asked.lane())) {
            Lane lane = new Lane(state, asked, shop);
            lane.trustedUntil = trust.getOrDefault(asked.lane(), shop.now());
            lane.intake.splitsReads = splitsReads;
            lanes.put(asked.lane(), lane);
        }
    }

    // ---- lanes (all under the lock)

    Collection<Lane> lanes() {
        return lanes.values();
    }

    /** Whether this is still the lane of that number: not dropped or loaded anew since. */
    boolean isCurrent(Lane lane) {
        return !lane.gone;
    }

    /** Throws a lane's memory away; it is loaded again if the lease stands. */
    void drop(Lane lane, String why) {
        if (!lane.gone) {
            log.reloads(lane.number(), why);
            drop(lane);
        }
    }

    private void drop(Lane lane) {
        if (!lane.gone) {
            lane.gone = true;
            lanes.remove(lane.number(), lane);
            shop.counters().reloads++;
            shop.sendQueue().forgetGone(nobody);
        }
    }

    /** The first two lines need no memory, so that they also work where there is none. */
    void dropAll(String why) {
        lanes.values().forEach(lane -> lane.gone = true);
        List<Integer> dropped = List.copyOf(lanes.keySet());
        lanes.clear();
        if (!dropped.isEmpty()) {
            shop.counters().reloads += dropped.size();
            shop.sendQueue().forgetGone(nobody);
            dropped.forEach(lane -> log.reloads(lane, why));
        }
    }

    /**
     * A flush failed. Nothing is loaded or sent before a renewal was written: if the database only lets itself be read,
     * everything would be published again after each attempt.
     */
    void doubt(String why) {
        shop.sendQueue().flushes.failed(why, shop.now());
        leases.keySet().forEach(lane -> trust.put(lane, shop.now()));
        renewSoon = true;
        dropAll(why);
    }

    /** A flush of this lane wrote nothing: someone else has it, or had it. Nothing is sent before a renewal says who. */
    void lostInFlush(Lane lane) {
        trust.put(lane.number(), shop.now());
        renewSoon = true;
        drop(lane, "its flush was fenced");
    }

    /** Whether a flush has work that should not wait for its pace. */
    boolean wantsFlush() {
        return shop.counters().sinceFlush >= shop.config().flush().events()
                || lanes.values().stream().anyMatch(lane -> !lane.windowsWanted.isEmpty());
    }

    boolean wantsWindows() {
        return lanes.values().stream().anyMatch(lane -> !lane.windowsWanted.isEmpty());
    }

    /** What the events in memory take, large ones apart. */
    long heldBytes() {
        long bytes = 0;
        for (Lane lane : lanes.values()) {
            bytes += lane.heldBytes + lane.offLaneBytes;
        }
        return bytes;
    }

    /** The same, with what was read off the lanes counted anew. */
    long recountBytes() {
        lanes.values().forEach(Lane::recount);
        return heldBytes();
    }

    /** Whether there is anything that a flush has yet to make durable. */
    boolean hasUnflushed() {
        return lanes.values().stream().anyMatch(lane -> !lane.batches.isEmpty() || lane.changed);
    }

    /** Someone paused or retired the route: nothing is read or sent. */
    boolean isPaused() {
        return shop.sendQueue().paused;
    }

    /**
     * A look for changes that began after so many stops found the route in this mode. If a load stopped the route
     * meanwhile, the look may be older than that, so it does not resume the route. Returns whether it does.
     */
    boolean looked(RouteMode mode, int stopsBefore) {
        return (mode != RouteMode.OPEN || stops == stopsBefore) && found(mode);
    }

    private boolean found(RouteMode mode) {
        stops += mode == RouteMode.OPEN ? 0 : 1;
        if (mode == RouteMode.RETIRED) {
            retire();
        }
        return !retired && pause(mode == RouteMode.PAUSED);
    }

    /**
     * A renewal found the route in this mode. The answer may be older than the last look for changes, so it resumes a
     * route only where there is nothing to publish.
     */
    void renewed(RouteMode mode) {
        if (mode != RouteMode.OPEN || lanes.isEmpty()) {
            found(mode);
        }
    }

    private void retire() {
        if (!retired) {
            retired = true;
            shop.sendQueue().paused = true;
            dropAll("the route is retired");
        }
    }

    private boolean pause(boolean wanted) {
        if (isPaused() == wanted) {
            return false;
        }
        log.info(wanted ? "The route is paused: nothing is published" : "The route is resumed");
        shop.sendQueue().paused = wanted;
        return !wanted;
    }

    /** What stands between the log and the destination, as far as the database answers. */
    RelayStatus.Obstacle obstacle() {
        SendQueue queue = shop.sendQueue();
        if (retired) {
            return RelayStatus.Obstacle.RETIREMENT;
        }
        if (queue.paused) {
            return RelayStatus.Obstacle.PAUSE;
        }
        if (queue.flushes.isStalled()) {
            return RelayStatus.Obstacle.DATABASE;
        }
        if (queue.breaker.isOpen()) {
            return RelayStatus.Obstacle.DESTINATION;
        }
        return queue.lacksMemory() ? RelayStatus.Obstacle.MEMORY : RelayStatus.Obstacle.NONE;
    }

    /** Why nothing is published though the route is not paused, if so. */
    @Nullable
    String outage() {
        SendQueue queue = shop.sendQueue();
        if (queue.flushes.isStalled()) {
            return queue.flushes.outage();
        }
        return queue.lacksMemory() && !queue.breaker.isOpen() ? queue.memory.shortage() : queue.breaker.reason();
    }

    // ---- answers and sending

    /** Takes every answer that has arrived; sends what became possible by it. Returns how many there were. */
    int settleAnswers() {
        return sender.settleAnswers();
    }

    /** Sends what may be sent. */
    void send() {
        sender.send();
    }

    /** Whether what becomes of it would count: its lane is here, and it has not been left to somebody else. */
    boolean stillWaitsFor(Sent sent) {
        return locked(() -> {
            Item item = sent.item;
            KeyGate gate = item.gate;
            boolean inPlace = item.origin != Item.Origin.WINDOW || gate == null || gate.window.contains(item);
            return !item.lane.gone && item.sent == sent && item.state == Item.State.IN_FLIGHT && inPlace;
        });
    }

    /** Takes an outcome at once, on the caller's thread. False if there was one before. */
    boolean settle(Sent sent, Outcome outcome) {
        return locked(() -> {
            boolean first = sent.compareAndSet(false, true);
            if (first) {
                shop.sendQueue().landed(sent); // whatever is thrown from here on
                settle(sent, outcome, shop.now());
            }
            return first;
        });
    }

    void settle(Sent sent, Outcome outcome, long now) {
        boolean waitedFor = shop.sendQueue().answered(sent, outcome, now);
        Item item = sent.item;
        if (waitedFor) {
            item.lane.answered(item);
        }
        KeyGate gate = waitedFor ? item.gate : null;
        if (gate != null && gate.isSettledBefore(item, outcome)) {
            item.lane.outcomes.withheld(item, gate);
            sent.item = nobody;
            return;
        }
        if (gate != null && !(outcome instanceof Outcome.Accepted)) {
            gate.withholdTheRest(item);
        }
        outcome.reduce(new Consequences(shop, sent, waitedFor, now));
        sent.item = nobody; // a transport may keep it for longer than its lane lives
    }
}
