package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.CheckpointStore;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.StoreException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases are renewed, events are read, but no flush goes through. */
@Timeout(60)
class FailingFlushTest {

    private static final int EVENTS = 20;

    private final RelayHarness harness = new RelayHarness();
    private final RecordingTransport transport = RecordingTransport.accepting();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean failing = true;

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void publishingStopsUntilOneGoesThrough() {
        // Given
        harness.emit(IntStream.range(0, EVENTS)
                .mapToObj(i -> Event.of("shop", "placed").key("k" + i).build())
                .toList());
        try (Relay relay = start()) {
            Await.until(
                    "it says so",
                    () -> relay.status()
                            .outage()
                            .filter(why ->
                                    why.contains("nothing is published until one succeeds: the flush failed: no room"))
                            .isPresent());
            int published = transport.calls().size();
            int before = failed.get();

            // When it has tried again
            Await.until("it has tried again", () -> failed.get() >= before + 2);

            // Then
            assertThat(transport.calls()).hasSize(published).hasSizeLessThanOrEqualTo(3 * EVENTS);
            failing = false;
            Await.until("it is well", () -> relay.status().outage().isEmpty());
            Await.until(
                    "all are checkpointed",
                    () -> harness.rows("SELECT 1 FROM posthorn.outbox_status WHERE state = 'SENT'")
                                    .size()
                            == EVENTS);
            harness.emit(Event.of("shop", "later").build());
            Await.until(
                    "it goes on",
                    () -> transport.events().stream()
                            .anyMatch(event -> event.type().equals("later")));
        }
        assertThat(transport.calls()).hasSizeLessThanOrEqualTo(4 * EVENTS + 1);
    }

    private Relay start() {
        Relay.Stores stores = PostgresRelayStores.open(
                harness.pool, Schema.DEFAULT, Route.named("main").fromBeginning(), "r1");
        return Relay.start(
                new Relay.Stores(
                        stores.route(),
                        stores.relay(),
                        stores.log(),
                        new Failing(stores.checkpoints()),
                        stores.leases()),
                transport.publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard());
    }

    private final class Failing implements CheckpointStore {

        private final CheckpointStore real;

        Failing(CheckpointStore real) {
            this.real = real;
        }

        @Override
        public Set<Integer> flush(String relay, String incarnation, List<LaneFlush> lanes) {
            if (failing) {
                failed.incrementAndGet();
                throw new StoreException("no room", null);
            }
            return real.flush(relay, incarnation, lanes);
        }

        @Override
        public List<LaneState> load(String relay, Collection<LeaseStore.Lease> leases) {
            return real.load(relay, leases);
        }

        @Override
        public Due due(Collection<Integer> lanes, int limit) {
            return real.due(lanes, limit);
        }

        @Override
        public List<BlockedKey> released(int lane, Collection<String> heldKeys) {
            return real.released(lane, heldKeys);
        }
    }
}
