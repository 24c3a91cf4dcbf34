package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.CheckpointStore;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus.Obstacle;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.StoreException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether a route publishes is known before its first event is: also by a relay that starts, or loads its lanes again. */
@Timeout(120)
class RouteModeTest {

    private static final int EVENTS = 20_000;
    private static final int STARTS = 10;
    private static final int RELOADS = 3;

    private final RelayHarness harness = new RelayHarness();
    private final RecordingTransport transport = RecordingTransport.accepting();
    private final AtomicInteger doubts = new AtomicInteger();
    private final PostgresRoutes routes = new PostgresRoutes(harness.postgres.dataSource(), Schema.DEFAULT);

    @BeforeEach
    void aRouteWithEvents() {
        routes.create(Route.named(RelayHarness.ROUTE).fromBeginning());
        harness.emit(IntStream.range(0, EVENTS)
                .mapToObj(i -> Event.of("shop", "placed").key("k" + i).build())
                .toList());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aRelayThatStartsOnAPausedRoutePublishesNothing() {
        routes.pause(RelayHarness.ROUTE, "the broker is being moved");

        for (int i = 0; i < STARTS; i++) {
            try (Relay relay = harness.startRelay("r" + i, transport.publisher())) {
                Await.until("it has its lanes", () -> relay.status().lanes().size() == 16);
                Await.until("it has loaded them", () -> relay.status().obstacle() == Obstacle.PAUSE);
                assertThat(relay.status().outage()).contains("the route is paused");
            }
        }

        assertThat(transport.calls()).isEmpty();
    }

    @Test
    void lanesThatAreLoadedAgainDuringAPausePublishNothing() {
        routes.pause(RelayHarness.ROUTE, null);
        Relay.Stores real = PostgresRelayStores.open(harness.pool, Schema.DEFAULT, RelayHarness.ROUTE, "r");
        Relay.Stores doubtful =
                new Relay.Stores(real.route(), real.relay(), real.log(), failing(real.checkpoints()), real.leases());
        try (Relay relay = Relay.start(doubtful, transport.publisher(), harness.config, harness.policy)) {
            Await.until("it is paused", () -> relay.status().obstacle() == Obstacle.PAUSE);

            doubts.set(RELOADS);
            Await.until("all lanes were dropped so often", () -> doubts.get() == 0);
            Await.until("it holds lanes", () -> relay.status().lanes().size() == 16);

            assertThat(relay.status().totals().reloads()).isGreaterThanOrEqualTo(16 * RELOADS);
            assertThat(transport.calls()).isEmpty();
            routes.resume(RelayHarness.ROUTE, null);
            transport.awaitCalls(EVENTS);
        }
    }

    /** Fails the next looks for changes, each of which puts all lanes in doubt. */
    private CheckpointStore failing(CheckpointStore real) {
        return (CheckpointStore) Proxy.newProxyInstance(
                CheckpointStore.class.getClassLoader(),
                new Class<?>[] {CheckpointStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("due") && doubts.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new StoreException("the look failed", null);
                    }
                    return method.invoke(real, arguments);
                });
    }

    @Test
    void aRelayThatStartsOnARetiredRouteTakesNoLaneAndEnds() throws SQLException {
        routes.retire(RelayHarness.ROUTE, "replaced");
        long epochs = epochs();

        try (Relay relay = harness.startRelay("r", transport.publisher())) {
            Await.until("it ends", relay::hasEnded);

            assertEnded(relay);
            assertThat(epochs()).isEqualTo(epochs);
        }
        assertThat(transport.calls()).isEmpty();
    }

    @Test
    void aRelayWhoseRouteIsRetiredGivesItsLanesBackAndEnds() throws SQLException {
        RecordingTransport holding = RecordingTransport.holding((event, attempt) -> Outcome.accepted());
        try (Relay relay = harness.startRelay("r", holding.publisher())) {
            holding.awaitCalls(1);

            routes.retire(RelayHarness.ROUTE, "replaced");

            Await.until("it ends", relay::hasEnded);
            assertEnded(relay);
            int calls = holding.calls().size();
            holding.release();
            assertThat(holding.calls()).hasSize(calls);
        }
    }

    private void assertEnded(Relay relay) throws SQLException {
        assertThat(relay.status().lanes()).isEmpty();
        assertThat(relay.status().held()).isZero();
        assertThat(relay.status().obstacle()).isEqualTo(Obstacle.RETIREMENT);
        assertThat(relay.status().outage()).contains("the route is retired");
        assertThat(relay.overdue()).isEqualTo(Duration.ZERO);
        assertThat(harness.postgres.rows("SELECT lane FROM posthorn.lease WHERE owner IS NOT NULL"))
                .isEmpty();
        assertThat(harness.postgres.rows("SELECT name FROM posthorn.relay")).isEmpty();
        Await.until(
                "its threads end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().matches("posthorn-(lease|read-\\d|answer|flush)-r")));
    }

    private long epochs() throws SQLException {
        return Long.parseLong(
                harness.postgres.rows("SELECT sum(epoch) FROM posthorn.lease").get(0));
    }
}
