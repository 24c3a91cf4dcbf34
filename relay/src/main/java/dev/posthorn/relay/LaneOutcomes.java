package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.DetourKind;
import dev.posthorn.relay.CheckpointStore.FailedAttempt;
import dev.posthorn.relay.Item.Origin;
import dev.posthorn.relay.Item.State;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What an answer means for an event of a lane, by where the event was read from. Touched only under the relay's lock.
 */
final class LaneOutcomes {

    private final Lane lane;
    private final Workshop shop;

    LaneOutcomes(Lane lane) {
        this.lane = lane;
        this.shop = lane.shop;
    }

    void confirmed(Item item) {
        KeyGate gate = item.gate;
        item.state = State.CONFIRMED;
        switch (item.origin) {
            case LANE -> {
                batchOf(item).unresolved--;
                shop.counters().resolved();
                if (gate != null) {
                    gate.queue.remove(item);
                }
            }
            case WINDOW -> {
                BlockedCursor own = blockedOf(item);
                gateOf(item).window.remove(item);
                own.confirmed(item.seq());
                lane.changed = true;
                shop.counters().resolved();
            }
            case DETOUR -> {
                lane.finishedDetours.add(item.seq());
                lane.changed = true;
                if (gate != null) {
                    gate.detours.remove(item);
                }
            }
        }
        if (gate != null) {
            lane.advance(gate);
        }
    }

    /** An event of its key before it did not go through: as if it had not been sent. */
    void withheld(Item item, KeyGate gate) {
        if (item.state == State.IN_FLIGHT) {
            item.state = State.QUEUED;
        }
        lane.advance(gate);
    }

    /**
     * It did not go through and may later; the attempt is charged. How often it is tried is the policy's to say, how long
     * it waits the destination's if it asked for a pause.
     */
    void retry(Item item, String outcome, String error, Optional<Duration> asked) {
        charge(item, outcome, error);
        Optional<Duration> pause = shop.policy().retryFor(item.event).pauseAfter(item.attempts, shop.random());
        if (pause.isEmpty()) {
            giveUp(item);
            return;
        }
        item.state = State.QUEUED;
        item.due = shop.now() + asked.orElse(pause.get()).toNanos();
        switch (item.origin) {
            case LANE -> retryFromLane(item);
            case WINDOW -> {
                blockedOf(item).failed(item);
                gateOf(item).window.clear();
                lane.changed = true;
                lane.advance(gateOf(item));
            }
            case DETOUR -> leaveDetour(item, item.detour == DetourKind.REDRIVE ? DetourKind.REDRIVE : DetourKind.RETRY);
        }
    }

    private void retryFromLane(Item item) {
        shop.counters().resolved();
        if (item.gate != null) {
            lane.advance(item.gate);
        } else {
            shop.sendQueue().at(lane, item.due, () -> again(item));
        }
    }

    private void again(Item item) {
        if (!lane.gone && item.state == State.QUEUED && item.origin != Origin.WINDOW) {
            shop.sendQueue().ready(item);
        }
    }

    /** It never will go through. */
    void dead(Item item, String outcome, String error) {
        charge(item, outcome, error);
        giveUp(item);
    }

    private void giveUp(Item item) {
        item.state = State.DEAD;
        lane.changed = true;
        shop.counters().dead();
        switch (item.origin) {
            case LANE -> {
                Batch batch = batchOf(item);
                batch.unresolved--;
                batch.hasRows = true;
                if (!shop.isOn(Safeguard.DEAD_IS_COMMITTED_FIRST) && item.gate != null) {
                    item.gate.queue.remove(item);
                    lane.advance(item.gate);
                }
            }
            case WINDOW -> {
                // the next flush writes its row, see LanePass
            }
            case DETOUR -> leaveDetour(item, DetourKind.FAILED);
        }
    }

    private void leaveDetour(Item item, DetourKind kind) {
        lane.detourChanges.put(item.seq(), Detour.of(item.seq(), kind, item.event, item.trouble(shop.now())));
        lane.changed = true;
        if (item.gate != null) {
            item.gate.detours.remove(item);
            lane.advance(item.gate);
        }
    }

    /** The destination is not there: as if it had not been sent. Its key may have something else to send first now. */
    void unavailable(Item item) {
        item.state = State.QUEUED;
        if (item.gate == null) {
            shop.sendQueue().ready(item);
        } else {
            lane.advance(item.gate);
        }
    }

    /** Nothing is known of it, and nothing is charged: it is sent again after this pause. */
    void resend(Item item, Duration pause) {
        item.state = State.QUEUED;
        item.due = shop.now() + pause.toNanos();
        if (item.gate == null) {
            shop.sendQueue().at(lane, item.due, () -> again(item));
        } else {
            lane.advance(item.gate);
        }
    }

    private void charge(Item item, String outcome, String error) {
        item.attempts++;
        item.error = error.length() > 1_024 ? error.substring(0, 1_024) : error;
        lane.attempts.add(new FailedAttempt(item.seq(), item.event.id(), item.attempts, outcome, item.error));
        shop.counters().failedAttempt();
    }

    private static Batch batchOf(Item item) {
        return Objects.requireNonNull(item.batch);
    }

    private static KeyGate gateOf(Item item) {
        return Objects.requireNonNull(item.gate);
    }

    private static BlockedCursor blockedOf(Item item) {
        return Objects.requireNonNull(gateOf(item).blocked);
    }
}
