package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * From emit to a subscriber's handler over a real broker that is killed in the middle: what was committed is received, in
 * order per key, and no attempt is charged for the broker's death.
 */
@Tag("slow")
@Tag("exact")
abstract class RelayEndToEnd {

    private static final int KEYS = 200;
    private static final int WRITERS = 4;
    private static final int PER_TRANSACTION = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** Starts the broker; skips or fails where it is not installed. */
    abstract BrokerUnderTest startBroker() throws Exception;

    /** Outages that no other broker has. */
    void strikeAsOnlyThisBrokerCan(DestinationOutages outages) {}

    @Test
    @Timeout(value = 9, unit = TimeUnit.MINUTES)
    void whatIsCommittedIsReceivedInOrderAlthoughTheBrokerIsKilled() throws Exception {
        int events = Size.of(4_000, 10_000, 100_000);
        try (EmbeddedPostgres postgres = Shop.builder().start();
                HikariDataSource pool = pool(postgres);
                BrokerUnderTest broker = startBroker();
                Bus bus = broker.open()) {
            new Migrations(Schema.DEFAULT).migrate(pool);
            Inbound inbound = new Inbound();
            Subscription subscription = bus.subscribe(
                    Subscriber.named("ledger").domains("shop").concurrency(4).prefetch(200), inbound);
            Relay relay = relay(pool, bus);

            CountDownLatch stricken = new CountDownLatch(broker.isMortal() ? 1 : 0);
            CompletableFuture<Void> writing = write(pool, events, stricken);
            Await.within(PATIENCE, () -> inbound.count() + " received", () -> inbound.count() > events / 5);
            if (broker.isMortal()) {
                killAndStartAgain(broker, relay, stricken);
            }
            writing.join();
            List<UUID> committed = ids(pool);
            Await.within(
                    PATIENCE,
                    () -> committed.size() + " to arrive, so far "
                            + inbound.first().size() + ", " + relay.status() + ", " + subscription.status(),
                    () -> inbound.count() >= committed.size() && inbound.first().size() == committed.size());

            check(inbound, committed);
            assertThat(relay.status().totals().failedAttempts())
                    .as("attempts charged")
                    .isZero();
            assertThat(relay.status().totals().dead()).as("dead letters").isZero();
            System.out.printf(
                    "%s: %,d committed, %,d received, 0 lost, 0 out of order, %,d duplicates%n",
                    bus.name(), committed.size(), inbound.count(), inbound.count() - committed.size());
            relay.close();
            subscription.close();
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void noOutageIsChargedToAnEventAndEachIsNamedWithinTenSeconds() throws Exception {
        try (EmbeddedPostgres postgres = Shop.builder().start();
                HikariDataSource pool = pool(postgres);
                BrokerUnderTest broker = startBroker()) {
            Assumptions.assumeTrue(broker.isMortal(), "there is no broker that could have an outage");
            new Migrations(Schema.DEFAULT).migrate(pool);
            Inbound inbound = new Inbound();
            try (Bus near = broker.open();
                    Subscription subscription = near.subscribe(
                            Subscriber.named("ledger")
                                    .domains("shop")
                                    .concurrency(4)
                                    .prefetch(200),
                            inbound);
                    SteadyWriter writer = new SteadyWriter(pool);
                    DestinationOutages outages = new DestinationOutages(pool, broker, inbound, writer::committed)) {
                Await.within(PATIENCE, () -> "the first events: " + subscription.status(), () -> inbound.count() > 100);
                outages.slow();
                outages.frozen();
                outages.halfOpen();
                outages.killed();
                strikeAsOnlyThisBrokerCan(outages);
                writer.stop();
                List<UUID> committed = ids(pool);
                Await.within(
                        PATIENCE,
                        () -> committed.size() + " to arrive, so far "
                                + inbound.first().size(),
                        () -> inbound.first().size() == committed.size());
                check(inbound, committed);
            }
        }
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void whateverAHandlerDoesItsEventPaysAndTheSubscriptionLives() throws Exception {
        try (EmbeddedPostgres postgres = Shop.builder().start();
                HikariDataSource pool = pool(postgres);
                BrokerUnderTest broker = startBroker();
                Bus bus = broker.open()) {
            new Migrations(Schema.DEFAULT).migrate(pool);
            try (FaultyHandlers faults = new FaultyHandlers(pool, bus)) {
                faults.run();
            }
        }
    }

    private static void killAndStartAgain(BrokerUnderTest broker, Relay relay, CountDownLatch stricken) {
        broker.kill();
        stricken.countDown();
        Await.within(
                PATIENCE,
                () -> "the relay to notice: " + relay.status(),
                () -> relay.status().outage().isPresent());
        broker.start();
    }

    private static void check(Inbound inbound, List<UUID> committed) {
        assertThat(new TreeSet<>(inbound.first().stream().map(Event::id).toList()))
                .isEqualTo(new TreeSet<>(committed));
        Map<String, Long> last = new HashMap<>();
        for (Event event : inbound.first()) {
            String key = event.key().orElseThrow();
            long sequence = event.sequence().orElseThrow();
            assertThat(sequence).as("next of " + key).isEqualTo(last.getOrDefault(key, -1L) + 1);
            last.put(key, sequence);
        }
    }

    private static Relay relay(HikariDataSource pool, Bus bus) {
        return Relay.start(
                PostgresRelayStores.open(
                        pool, Schema.DEFAULT, Route.named("main").fromBeginning(), "end-to-end"),
                bus.publisher(),
                RelayConfig.standard().withLeaseTtl(Duration.ofSeconds(5)),
                RoutePolicy.standard());
    }

    /**
     * Each writer has keys of its own, so the sequence of a key is the order of its commits. The last quarter waits until
     * the broker is dead: a relay that had published all of it by then would have nothing to notice the death by.
     */
    private static CompletableFuture<Void> write(HikariDataSource pool, int events, CountDownLatch stricken) {
        return CompletableFuture.allOf(IntStream.range(0, WRITERS)
                .mapToObj(writer -> CompletableFuture.runAsync(
                        () -> write(pool, writer, events / WRITERS, stricken), task -> new Thread(task).start()))
                .toArray(CompletableFuture[]::new));
    }

    private static void write(HikariDataSource pool, int writer, int events, CountDownLatch stricken) {
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        long[] sequences = new long[KEYS];
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            int emitted = 0;
            for (int transaction = 0; emitted < events; transaction++) {
                if (emitted >= events * 3 / 4) {
                    stricken.await();
                }
                boolean rollback = transaction % 10 == 9;
                List<Event> batch = new ArrayList<>();
                for (int i = 0; i < PER_TRANSACTION; i++) {
                    int key = ((transaction * PER_TRANSACTION + i) * WRITERS + writer) % KEYS;
                    batch.add(Event.of("shop", "order.placed")
                            .key("key-" + key)
                            .sequence(rollback ? -1 : sequences[key]++)
                            .json("{\"writer\":" + writer + "}")
                            .build());
                }
                outbox.emit(connection, batch);
                if (rollback) {
                    connection.rollback();
                } else {
                    connection.commit();
                    emitted += PER_TRANSACTION;
                }
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<UUID> ids(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM posthorn.outbox")) {
            List<UUID> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getObject(1, UUID.class));
            }
            return ids;
        }
    }

    private static HikariDataSource pool(EmbeddedPostgres postgres) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(postgres.createDatabase("shop"));
        config.setMaximumPoolSize(12);
        return new HikariDataSource(config);
    }
}
