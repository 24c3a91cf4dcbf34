package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.LeaseStore.Crew;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays that only take lanes and hand them back, in any order, at a clock of the test's own. */
class FairSharesTest {

    private static final int LANES = 16;
    /** In so many rounds each has renewed its leases, and lanes have changed hands. */
    private static final int A_RENEWAL = 25;

    private final Table table = new Table();
    private final Map<String, LeaseStep> relays = new LinkedHashMap<>();
    private final Random order = new Random(4711);
    private long now = 1;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20})
    void soManyRelaysShareTheLanesEvenlyWhoeverComesAndGoes(int count) {
        for (int i = 0; i < count; i++) {
            start("relay-" + order.nextInt(1_000) + "-" + i);
            rounds(1);
        }
        assertFair(count);

        for (int i = 0; i < count / 2; i++) {
            String leaving = new ArrayList<>(relays.keySet()).get(order.nextInt(relays.size()));
            Objects.requireNonNull(relays.remove(leaving)).leave();
            rounds(1);
        }
        assertFair(count - count / 2);

        start("another");
        assertFair(count - count / 2 + 1);
    }

    @Test
    void fiveAreFourThreeThreeThreeThree() {
        for (int i = 0; i < 5; i++) {
            start("r" + i);
        }
        rounds(A_RENEWAL);

        assertThat(table.held().values()).containsExactlyInAnyOrder(4, 3, 3, 3, 3);
    }

    @Test
    void allSharesTogetherAreAllLanes() {
        for (int count = 1; count < 40; count++) {
            int all = 0;
            for (int before = 0; before < count; before++) {
                all += new Crew(count, before).shareOf(LANES);
            }
            assertThat(all).isEqualTo(LANES);
        }
    }

    private void assertFair(int count) {
        rounds(A_RENEWAL);
        long moves = table.moves;
        rounds(2 * A_RENEWAL);
        assertThat(table.moves).as("moves in a steady state").isEqualTo(moves);
        assertThat(table.held().values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(LANES);
        int least = count > LANES ? 0 : LANES / count;
        assertThat(table.held().values()).allSatisfy(held -> assertThat(held).isBetween(least, least + 1));
        assertThat(table.held()).hasSize(Math.min(count, LANES));
    }

    private void start(String name) {
        relays.put(name, step(name));
    }

    /** Each relay looks once, in any order, four times a second. */
    private void rounds(int rounds) {
        for (int i = 0; i < rounds; i++) {
            now += Duration.ofMillis(250).toNanos();
            List<LeaseStep> turn = new ArrayList<>(relays.values());
            Collections.shuffle(turn, order);
            turn.forEach(LeaseStep::runOnce);
        }
    }

    private LeaseStep step(String name) {
        RelayConfig config = RelayConfig.standard();
        Answers answers = new Answers(() -> {});
        Workshop shop = new Workshop(
                config,
                RoutePolicy.standard(),
                RouteFilter.all(),
                new SendQueue(config, answers, MemoryBudget.unlimited()),
                new Counters(),
                () -> now,
                order,
                Set.of());
        RelayState state = new RelayState(shop, answers, new Nowhere(), new RelayLog("orders", name));
        return new LeaseStep(state, new Loading(state), name);
    }

    /** Loads each lane as soon as it is leased, since only a lane that is loaded can be handed back. */
    private final class Loading implements LeaseStore {

        private final RelayState state;

        Loading(RelayState state) {
            this.state = state;
        }

        @Override
        public Renewal renew(String relay, Collection<Lease> held, Duration ttl, Report report) {
            load();
            return table.renew(relay, held);
        }

        @Override
        public Crew crew(String relay, Duration ttl) {
            load();
            return table.crew(relay);
        }

        private void load() {
            state.leasesToLoad(now)
                    .forEach(lease -> state.loaded(
                            new CheckpointStore.LaneState(
                                    lease.lane(),
                                    0,
                                    Cursor.at(new Snapshot("1:1:"), 0),
                                    "1",
                                    RouteMode.OPEN,
                                    List.of()),
                            lease));
        }

        @Override
        public List<Lease> acquire(String relay, int most, Duration ttl) {
            return table.acquire(relay, most);
        }

        @Override
        public void release(String relay, Collection<Lease> leases) {
            table.release(relay, leases);
        }

        @Override
        public void leave(String relay) {
            table.began.remove(relay);
        }
    }

    /** The leases; none runs out. */
    private static final class Table {

        private final List<String> began = new ArrayList<>();
        private final Map<Integer, String> owners = new TreeMap<>();
        private long moves;

        LeaseStore.Renewal renew(String relay, Collection<Lease> held) {
            Crew crew = crew(relay);
            if (!began.contains(relay)) {
                began.add(relay);
            }
            return new LeaseStore.Renewal(List.copyOf(held), crew, LANES, RouteMode.OPEN);
        }

        Crew crew(String relay) {
            return began.contains(relay)
                    ? new Crew(began.size(), began.indexOf(relay))
                    : new Crew(began.size() + 1, began.size());
        }

        List<Lease> acquire(String relay, int most) {
            List<Lease> taken = new ArrayList<>();
            for (int lane = 0; lane < LANES && taken.size() < most; lane++) {
                if (owners.putIfAbsent(lane, relay) == null) {
                    taken.add(new Lease(lane, ++moves));
                }
            }
            return taken;
        }

        void release(String relay, Collection<Lease> leases) {
            leases.forEach(lease -> owners.remove(lease.lane(), relay));
            moves += leases.size();
        }

        Map<String, Integer> held() {
            Map<String, Integer> held = new TreeMap<>();
            owners.values().forEach(owner -> held.merge(owner, 1, Integer::sum));
            return held;
        }
    }

    private static final class Nowhere implements Publisher {

        @Override
        public void publish(List<? extends Publication> publications) {
            throw new IllegalStateException("there is nothing to publish");
        }

        @Override
        public int longestRun() {
            return 1;
        }

        @Override
        public void close() {}
    }
}
