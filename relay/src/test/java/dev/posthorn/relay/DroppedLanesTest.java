package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.posthorn.event.Event;
import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.CheckpointStore.Trouble;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.Log.LaneRows;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lane that was thrown away is not kept in memory by what was queued of it, and every publication is counted once. */
@Timeout(60)
class DroppedLanesTest {

    private static final int LANES = 16;
    private static final int RELOADS = 50;
    private static final Cursor START = Cursor.at(new Snapshot("1:1:"), 0);

    private final List<Publication> published = new ArrayList<>();
    private Throwable fault = new IllegalStateException("not set");
    private boolean throwing;
    private int settledFirst;
    private long looksLeft = Long.MAX_VALUE;
    private final Answers answers = new Answers(() -> {});
    private final RelayConfig config = RelayConfig.standard();
    private final Workshop shop = new Workshop(
            config,
            RoutePolicy.standard(),
            RouteFilter.all(),
            new SendQueue(config, answers, MemoryBudget.unlimited()),
            new Counters(),
            this::now,
            new Random(1),
            Set.of());
    private final RelayState state = new RelayState(shop, answers, new Recording(), new RelayLog("orders", "a"));

    @Test
    void noDroppedLaneIsReachableWhileTheBreakerIsOpen() {
        state.locked(() -> shop.sendQueue().breaker.open("down", shop.now()));
        List<WeakReference<Lane>> dropped = new ArrayList<>();

        for (int i = 0; i < RELOADS; i++) {
            dropped.addAll(load());
            state.settleAnswers();
            state.locked(() -> state.dropAll("the flush failed"));
        }

        assertThat(dropped).hasSize(LANES * RELOADS);
        assertThat(shop.sendQueue().lanesKept()).isZero();
        awaitCollected(dropped);
    }

    @Test
    void publicationsThatATransportKeepsDoNotKeepTheirLanesAndAreStillCounted() {
        List<WeakReference<Lane>> dropped = load();
        state.settleAnswers();
        assertThat(published).isNotEmpty();
        assertThat(shop.sendQueue().inFlight()).isEqualTo(published.size());

        state.locked(() -> state.dropAll("the flush failed"));

        awaitCollected(dropped);
        assertThat(shop.sendQueue().inFlight()).isEqualTo(published.size());
        published.forEach(sent -> sent.settle(Outcome.accepted()));
        state.settleAnswers();
        assertThat(shop.sendQueue().inFlight()).isZero();
        assertThat(shop.counters().published).isEqualTo(published.size());
    }

    @Test
    void whateverATransportThrowsWhatItHasNotSettledIsUnknownAndNotCharged() {
        for (Throwable thrown : List.of(
                new IllegalStateException("closed"), new OutOfMemoryError("heap"), new java.io.IOException("sneaky"))) {
            published.clear();
            fault = thrown;
            throwing = true;
            settledFirst = 3;
            load();
            long before = shop.counters().published;

            state.settleAnswers();
            throwing = false;
            int calls = published.size();
            state.settleAnswers();

            assertThat(shop.counters().published - before).isEqualTo(3);
            assertThat(calls).isGreaterThan(3);
            assertThat(shop.sendQueue().inFlight()).isEqualTo(published.size() - calls);
            assertThat(shop.counters().failedAttempts).isZero();
            published.subList(calls, published.size()).forEach(sent -> sent.settle(Outcome.accepted()));
            state.settleAnswers();
            state.locked(() -> state.dropAll("the next one"));
        }
    }

    @Test
    void whatThrowsWhileAnswersAreTakenInCountsThemAllAndThrowsTheLanesAway() {
        load();
        state.settleAnswers();
        Publication second = published.get(1);
        published.forEach(sent -> sent.settle(sent == second ? Outcome.failed("poison") : Outcome.accepted()));
        looksLeft = 1; // the first is for all answers, the second for when to try the failed one again

        assertThat(catchThrowable(state::settleAnswers)).isInstanceOf(OutOfMemoryError.class);

        assertThat(state.lanes()).isEmpty();
        assertThat(shop.sendQueue().inFlight()).isZero();
        assertThat(shop.sendQueue().lanesKept()).isZero();
    }

    private long now() {
        if (looksLeft-- == 0) {
            throw new OutOfMemoryError("Java heap space");
        }
        return System.nanoTime();
    }

    @Test
    void aLaneWithAFlushUnderWayIsNotCollectedAgain() {
        load();
        state.settleAnswers();
        published.forEach(sent -> sent.settle(Outcome.refused("never")));
        state.settleAnswers();

        state.locked(() -> {
            for (Lane lane : state.lanes()) {
                assertThat(LanePass.collect(lane, shop.now(), LanePass.Mode.LEAVING))
                        .isPresent();
                for (LanePass.Mode mode : LanePass.Mode.values()) {
                    assertThat(LanePass.collect(lane, shop.now(), mode)).isEmpty();
                }
            }
        });
    }

    /** Every lane with a separate event, one behind another of its key, one with a large payload, and a blocked key. */
    private List<WeakReference<Lane>> load() {
        List<WeakReference<Lane>> lanes = new ArrayList<>();
        state.locked(() -> {
            for (int number = 0; number < LANES; number++) {
                Lease lease = new Lease(number, 1);
                state.leased(lease, shop.now() + Duration.ofHours(1).toNanos());
                state.loaded(
                        new LaneState(number, 1, START, "1", RouteMode.OPEN, List.of(blocked("b" + number))), lease);
            }
            for (Lane lane : state.lanes()) {
                int number = lane.number();
                List<LogEvent> rows = List.of(
                        row(number, 1, Event.of("shop", "free").build()),
                        row(
                                number,
                                2,
                                Event.of("shop", "keyed").key("k" + number).build()),
                        row(
                                number,
                                3,
                                Event.of("shop", "keyed").key("k" + number).build()),
                        new LogEvent(number, 4, Event.of("shop", "large").build(), null, 1_000_000));
                lane.intake.admit(new LaneRows(number, rows, List.of()), new Snapshot("9:9:"), 10);
                lanes.add(new WeakReference<>(lane));
            }
        });
        return lanes;
    }

    private static LogEvent row(int lane, long seq, Event event) {
        return LogEvent.of(lane, seq, event);
    }

    private static BlockedKey blocked(String key) {
        return new BlockedKey(key, START, START, 0, null, new Trouble(1, Duration.ofHours(1), "down"), false);
    }

    /** Without any wait: a collection that is asked for is done when the call returns, by every collector in use here. */
    private void awaitCollected(List<WeakReference<Lane>> dropped) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (dropped.stream().anyMatch(lane -> lane.get() != null) && System.nanoTime() < end) {
            System.gc();
        }
        assertThat(dropped.stream().filter(lane -> lane.get() != null).count())
                .as("dropped lanes in memory")
                .isZero();
    }

    /** Keeps all that it gets, as a client of a broker that does not answer. */
    private final class Recording implements Publisher {

        @Override
        public void publish(List<? extends Publication> publications) {
            published.addAll(publications);
            if (throwing) {
                publications.stream().limit(settledFirst).forEach(sent -> sent.settle(Outcome.accepted()));
                SimulatedFault.raise(fault);
            }
        }

        @Override
        public int longestRun() {
            return 1;
        }

        @Override
        public void close() {}
    }
}
