package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.operations.Health;
import dev.posthorn.operations.RelayMetrics;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RelayStatus.Obstacle;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Strikes a broker in one way after the other while events of many keys are emitted. Whatever the way, no attempt is charged and no
 * event is dead, an outage is named in time to all who ask, and everything drains when it is over.
 */
final class DestinationOutages implements AutoCloseable {

    private static final Duration NAMED_WITHIN = Duration.ofSeconds(10);
    private static final Duration STRUCK_WITHIN = Duration.ofMinutes(2);
    private static final Duration DRAINED_WITHIN = Duration.ofSeconds(90);
    private static final String ROUTE = "main";

    private final BrokerUnderTest broker;
    private final Bus bus;
    private final Relay relay;
    private final Inbound inbound;
    private final LongSupplier committed;
    private final Health health = new Health(
            Clock.systemUTC(),
            new Health.Limits(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(5), Optional.empty()));
    private final PostgresInspection inspection;

    DestinationOutages(HikariDataSource pool, BrokerUnderTest broker, Inbound inbound, LongSupplier committed) {
        this.broker = broker;
        this.inbound = inbound;
        this.committed = committed;
        this.bus = broker.openThroughNetwork();
        this.inspection = new PostgresInspection(pool, Schema.DEFAULT);
        // The policy that has charged the last attempt after 13 seconds.
        this.relay = Relay.start(
                PostgresRelayStores.open(
                        pool, Schema.DEFAULT, Route.named(ROUTE).fromBeginning(), "outages"),
                bus.publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard().withRetry(RetryPolicy.fixed()));
        RelayMetrics metrics = new RelayMetrics(new SimpleMeterRegistry(), ROUTE, Clock.systemUTC());
        health.watch(ROUTE, relay::status, relay::overdue, metrics.pulse());
    }

    /** Connections are closed, and nobody listens. */
    void killed() {
        strike("killed", hold(3), broker::kill, broker::start);
    }

    /** Connections are open, new ones are taken by the system, and nothing is answered. */
    void frozen() {
        strike("frozen", hold(13), broker::freeze, broker::thaw);
    }

    /** What is sent gets lost on the way, and connections of before stay lost. */
    void halfOpen() {
        Optional<Forwarder> network = broker.network();
        if (network.isEmpty()) {
            System.out.printf("%s: no network to lose anything on, so it is frozen only%n", bus.name());
        } else {
            strike("half-open", hold(13), network.get()::lose, network.get()::stopLosing);
        }
    }

    /** Every answer is late, and none is lost: that is no outage. */
    void slow() {
        long before = relay.status().totals().published();
        long end = System.nanoTime() + hold(13).toNanos();
        broker.network().ifPresent(network -> network.slow(broker.slowness()));
        while (System.nanoTime() - end < 0) {
            if (broker.network().isEmpty()) {
                freezeForAWhile();
            }
            assertThat(relay.status().obstacle())
                    .as("a slow broker is no outage: %s", relay.status())
                    .isEqualTo(Obstacle.NONE);
            pause(Duration.ofMillis(50));
        }
        assertThat(relay.status().totals().published()).as("answers arrive").isGreaterThan(before);
        broker.network().ifPresent(network -> network.slow(Duration.ZERO));
        awaitDrained("slow");
    }

    private void freezeForAWhile() {
        broker.freeze();
        pause(Duration.ofSeconds(3));
        broker.thaw();
        pause(Duration.ofMillis(500));
    }

    void strike(String how, Duration hold, Runnable begin, Runnable end) {
        CompletableFuture<Named> watching = CompletableFuture.supplyAsync(() -> untilNamed(how));
        begin.run();
        Named named = watching.join();
        String reason = relay.status().outage().orElse("");
        pause(hold.minus(named.toOthers()));
        assertNothingCharged(how);
        end.run();
        Duration drained = awaitDrained(how);
        System.out.printf(
                "%s, %s: named %,d ms after the last answer, to others %,d ms, drained %,d ms after it was over: %s%n",
                bus.name(), how, named.byHealth().toMillis(), named.toOthers().toMillis(), drained.toMillis(), reason);
    }

    /** How long after the last answer the outage was named. */
    private record Named(Duration byHealth, Duration toOthers) {}

    /** Some brokers take seconds to be struck; so it counts from the last answer. */
    private Named untilNamed(String how) {
        long end = System.nanoTime() + STRUCK_WITHIN.toNanos();
        long lastAnswer = System.nanoTime();
        long published = relay.status().totals().published();
        Duration byHealth = Duration.ZERO;
        while (System.nanoTime() - end < 0) {
            long now = relay.status().totals().published();
            if (now != published) {
                published = now;
                lastAnswer = System.nanoTime();
                byHealth = Duration.ZERO;
            }
            Duration silence = Duration.ofNanos(System.nanoTime() - lastAnswer);
            assertThat(silence).as("%s, to be named: %s", how, relay.status()).isLessThan(NAMED_WITHIN);
            byHealth = byHealth.isZero() && isNamedByHealth() ? silence : byHealth;
            if (!byHealth.isZero() && isReported()) {
                return new Named(byHealth, silence);
            }
            pause(Duration.ofMillis(5));
        }
        throw new AssertionError(how + " was no outage: " + relay.status());
    }

    private boolean isNamedByHealth() {
        return health.report().findings().stream()
                .anyMatch(finding -> finding.startsWith("route " + ROUTE + " publishes nothing: "));
    }

    private boolean isReported() {
        return inspection.relays().stream()
                .anyMatch(one -> one.work().obstacle().equals(Optional.of(Obstacle.DESTINATION))
                        && one.work().outage().isPresent());
    }

    /** All that was committed until now arrives, its answers too, and what is in the way is gone. */
    private Duration awaitDrained(String how) {
        long begun = System.nanoTime();
        long expected = committed.getAsLong();
        Await.within(
                DRAINED_WITHIN,
                () -> "after " + how + " " + expected + " to arrive, so far "
                        + inbound.first().size() + ", " + relay.status(),
                () -> inbound.first().size() >= expected
                        && relay.status().totals().published() >= expected
                        && relay.status().obstacle() == Obstacle.NONE);
        assertNothingCharged(how);
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private void assertNothingCharged(String how) {
        assertThat(relay.status().totals().failedAttempts())
                .as("attempts charged, %s: %s", how, relay.status())
                .isZero();
        assertThat(relay.status().totals().dead()).as("dead letters, %s", how).isZero();
    }

    /** So long, or ten minutes in a soak. */
    static Duration hold(int seconds) {
        return Duration.ofSeconds(Size.of(seconds, seconds, 600));
    }

    private static void pause(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @Override
    public void close() {
        relay.close();
        bus.close();
    }
}
