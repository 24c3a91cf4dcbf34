package dev.posthorn.relay;

import dev.posthorn.relay.LanePass.Collected;
import dev.posthorn.transport.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(HandlingStep.class);
    /** More savepoints in a transaction than 64 make it slow for everyone who reads. */
    private static final int MOST_AT_ONCE = 50;
    /** After that nothing more is begun in a transaction: an open one keeps vacuum from working. */
    private static final long LONG_ENOUGH = Duration.ofMillis(500).toNanos();
    /** Connection lost, operator intervention, read-only server: of the database, not of an event. */
    private static final Set<String> NOBODYS_FAULT = Set.of("08", "53", "57", "58", "25", "XX");

    private static final Outcome NOBODY_WAITS = Outcome.unknown("nobody waits for it any more");

    private record Blame(UUID event, String reason) {}

    private final RelayState state;
    private final HandlingStore store;
    private final Handler handler;
    private final HandlingQueue queue;
    private final String relay;
    private int most = MOST_AT_ONCE;
    private @Nullable Blame blame;

    HandlingStep(RelayState state, HandlingStore store, Handler handler, HandlingQueue queue, String relay) {
        this.state = state;
        this.store = store;
        this.handler = handler;
        this.queue = queue;
        this.relay = relay;
    }

    boolean hasWork() {
        return !queue.isEmpty();
    }

    /** One transaction. Returns whether there was anything to handle. */
    boolean runOnce() {
        if (queue.isEmpty()) {
            return false;
        }
        Turn turn = new Turn();
        try {
            Set<Integer> lost = store.handle(relay, turn::run);
            state.locked(() -> turn.ended(lost));
            most = Math.min(MOST_AT_ONCE, most * 2);
            return true;
        } catch (LaneGoneException gone) {
            state.locked(() -> turn.forget(gone.getMessage()));
            return true;
        } catch (RuntimeException | Error unsure) {
            find(unsure, turn);
            most = 1;
            state.locked(() -> {
                state.doubt("handling failed: " + unsure.getMessage());
                turn.abandon();
            });
            throw unsure;
        }
    }

    /** Where a commit fails because of what one event did, such as a deferred constraint, that event is to pay for it. */
    private void find(Throwable unsure, Turn turn) {
        if (unsure.getCause() instanceof SQLException said
                && said.getSQLState() != null
                && !NOBODYS_FAULT.contains(said.getSQLState().substring(0, 2))
                && turn.handled.size() == 1) {
            blame = new Blame(turn.handled.get(0), Outcome.reasonOf(said));
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
        private @Nullable Sent atHand;

        HandlingStore.Result run(Connection connection) throws SQLException {
            long begun = System.nanoTime();
            while (handled.size() < most && System.nanoTime() - begun < LONG_ENOUGH && !queue.isClosed()) {
                @Nullable Sent next = next();
                if (next == null) {
                    break;
                }
                handled.add(next.event().id());
                atHand = next;
                take(next, outcomeOf(next, connection));
            }
            return handled.isEmpty() ? HandlingStore.Result.NOTHING : state.locked(this::collect);
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

        private HandlingStore.Result collect() {
            List<Collected> all = new ArrayList<>();
            String incarnation = lanes.iterator().next().incarnation;
            for (Lane lane : lanes) {
                if (lane.gone || !lane.incarnation.equals(incarnation)) {
                    throw new LaneGoneException(lane);
                }
                LanePass.collect(lane, state.shop().now(), LanePass.Mode.TOGETHER)
                        .ifPresent(all::add);
            }
            collected = all;
            return new HandlingStore.Result(
                    incarnation, all.stream().map(Collected::flush).toList());
        }

        /** Under the lock, after the end of the transaction. */
        void ended(Set<Integer> lost) {
            if (!lost.isEmpty()) {
                lanes.stream().filter(lane -> lost.contains(lane.number())).forEach(state::lostInFlush);
                forget("the flush of lanes " + lost + " was fenced");
                return;
            }
            state.shop().counters().flushes++;
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

        /** The one that was at hand when its lane was thrown away; it must not count as in flight for ever. */
        void abandon() {
            if (atHand != null) {
                state.settle(atHand, NOBODY_WAITS);
            }
        }
    }

    private Outcome outcomeOf(Sent sent, Connection connection) throws SQLException {
        @Nullable Blame found = blame;
        if (found != null && found.event().equals(sent.event().id())) {
            blame = null;
            return Outcome.failed(found.reason());
        }
        Savepoint before = connection.setSavepoint();
        Outcome outcome = handled(sent, connection);
        if (!(outcome instanceof Outcome.Accepted)) {
            connection.rollback(before);
            return outcome;
        }
        try {
            connection.releaseSavepoint(before);
            return outcome;
        } catch (SQLException aborted) {
            connection.rollback(before);
            return Outcome.failed("the handler left its transaction aborted: " + aborted.getMessage());
        }
    }

    private Outcome handled(Sent sent, Connection connection) {
        try {
            return handler.handle(sent, connection);
        } catch (Throwable thrown) { // also an Error must not end the thread that flushes
            LOG.warn("The handler failed on {}", sent.event(), thrown);
            return Outcome.failed(Outcome.reasonOf(thrown));
        }
    }
}
