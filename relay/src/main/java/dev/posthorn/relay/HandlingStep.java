package dev.posthorn.relay;

import dev.posthorn.relay.LanePass.Collected;
import dev.posthorn.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Handles events in the transaction that writes their checkpoint: both are committed, or neither.
 *
 * <p>A turn takes events that wait, calls the handler for each behind a savepoint, and takes the outcome into the relay's
 * memory at once, so that the next event of the key can follow in the same transaction. At the end it collects a flush of every lane
 * that had a part in it, which passes each event that was handled. If anything is in doubt, if only one of the lanes is
 * lost, all of it is rolled back, and the lanes are thrown away and loaded again. So memory may run ahead of the database
 * within a turn, but never after it.
 *
 * <p>Runs on the thread of the flush and nowhere else: whatever moves a checkpoint is done by one thread.
 */
final class HandlingStep {

    /** More savepoints in a transaction than 64 make it slow for everyone who reads. */
    private static final int MOST_AT_ONCE = 50;
    /** After that nothing more is begun in a transaction: an open one keeps vacuum from working. */
    private static final long LONG_ENOUGH = Duration.ofMillis(500).toNanos();

    private static final Outcome NOBODY_WAITS = Outcome.unknown("nobody waits for it any more");

    private record Blame(UUID event, String reason) {}

    private final RelayState state;
    private final Store store;
    private final HandlingQueue queue;
    private int most = MOST_AT_ONCE;
    private @Nullable Blame blame;
    private @Nullable Sent atHand;

    /** One transaction of this relay's handler; answers which lanes are lost. */
    interface Store {
        Set<Integer> handle(HandlingStore.Work work);
    }

    HandlingStep(RelayState state, Store store, HandlingQueue queue) {
        this.state = state;
        this.store = store;
        this.queue = queue;
    }

    boolean hasWork() {
        return !queue.isEmpty();
    }

    /** One transaction. Returns whether there was anything to handle. */
    boolean runOnce() {
        abandon();
        if (queue.isEmpty()) {
            return false;
        }
        Turn turn = new Turn();
        try {
            Set<Integer> lost = store.handle(turn::run);
            state.locked(() -> turn.ended(lost));
            atHand = null;
            most = Math.min(MOST_AT_ONCE, most * 2);
            return true;
        } catch (LaneGoneException gone) {
            state.locked(() -> turn.forget(gone.getMessage()));
            return true;
        } catch (Throwable unsure) {
            find(unsure, turn);
            most = 1;
            if (isDoubt(unsure)) {
                state.locked(() -> state.doubt("handling failed: " + Thrown.describe(unsure)));
                abandon();
            }
            throw unsure;
        }
    }

    private boolean isDoubt(Throwable unsure) {
        return unsure instanceof StoreException
                || unsure instanceof RolledBackException
                || state.shop().isOn(Safeguard.ANY_FAULT_OF_HANDLING_IS_A_DOUBT);
    }

    /** The one that was at hand when its lane was thrown away must not count as in flight without end. */
    private void abandon() {
        if (atHand != null) {
            state.settle(atHand, NOBODY_WAITS);
            atHand = null;
        }
    }

    /** Where a commit fails because of what one event did, such as a deferred constraint, that event is to pay for it. */
    private void find(Throwable unsure, Turn turn) {
        if (unsure instanceof RolledBackException refused && turn.handled.size() == 1) {
            blame = new Blame(turn.handled.get(0), String.valueOf(refused.getMessage()));
        }
    }

    /** A lane was lost or reloaded while its event was handled: there is no position to commit with the effect. */
    private static final class LaneGoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LaneGoneException(Lane lane) {
            super("lane " + lane.number() + " was lost while its events were handled");
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    /** One transaction and what belongs to it. */
    private final class Turn {

        private final Set<Lane> lanes = new LinkedHashSet<>();
        private final List<UUID> handled = new ArrayList<>();
        private List<Collected> collected = List.of();

        HandlingStore.Result run(HandlingStore.Transaction transaction) {
            long begun = System.nanoTime();
            while (handled.size() < most && System.nanoTime() - begun < LONG_ENOUGH && !queue.isClosed()) {
                @Nullable Sent next = next();
                if (next == null) {
                    break;
                }
                handled.add(next.event().id());
                atHand = next;
                take(next, outcomeOf(next, transaction));
            }
            if (handled.isEmpty()) {
                return HandlingStore.Result.NOTHING;
            }
            Optional<Lane> gone = state.locked(this::collect);
            if (gone.isPresent()) {
                throw new LaneGoneException(gone.get());
            }
            return new HandlingStore.Result(
                    incarnation(), collected.stream().map(Collected::flush).toList());
        }

        private @Nullable Sent next() {
            @Nullable Sent next = queue.poll();
            if (next == null) {
                state.send();
                next = queue.poll();
            }
            while (next != null && !state.stillWaitsFor(next)) {
                state.settle(next, NOBODY_WAITS);
                next = queue.poll();
            }
            return next;
        }

        private void take(Sent sent, Outcome outcome) {
            Lane lane = sent.item.lane;
            lanes.add(lane);
            if (!state.locked(() -> state.stillWaitsFor(sent) && state.settle(sent, outcome))) {
                throw new LaneGoneException(lane);
            }
        }

        private String incarnation() {
            return lanes.iterator().next().incarnation;
        }

        /** Answers with a lane that is gone; empty if all of them are here. */
        private Optional<Lane> collect() {
            List<Collected> all = new ArrayList<>();
            for (Lane lane : lanes) {
                if (lane.gone || !lane.incarnation.equals(incarnation())) {
                    return Optional.of(lane);
                }
                LanePass.collect(lane, state.shop().now(), LanePass.Mode.TOGETHER)
                        .ifPresent(all::add);
            }
            collected = all;
            return Optional.empty();
        }

        /** Under the lock, after the end of the transaction. */
        void ended(Set<Integer> lost) {
            if (!lost.isEmpty()) {
                lanes.stream().filter(lane -> lost.contains(lane.number())).forEach(state::lostInFlush);
                forget("the flush of lanes " + lost + " was fenced");
                return;
            }
            state.shop().counters().flushes++;
            state.shop().sendQueue().flushes.succeeded();
            for (Collected one : collected) {
                if (state.isCurrent(one.pass().lane())) {
                    one.pass().committed(one.flush());
                }
            }
        }

        /** What memory says of these lanes was rolled back. */
        void forget(String why) {
            lanes.forEach(lane -> state.drop(lane, why));
            abandon();
        }
    }

    private Outcome outcomeOf(Sent sent, HandlingStore.Transaction transaction) {
        @Nullable Blame found = blame;
        if (found != null && found.event().equals(sent.event().id())) {
            blame = null;
            return Outcome.failed(found.reason());
        }
        return transaction.handle(sent);
    }
}
