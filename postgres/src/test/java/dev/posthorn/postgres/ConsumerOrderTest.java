package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.effect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many events of many keys on several threads: each once, and in the order of its key. */
@Tag("slow")
@Tag("exact")
class ConsumerOrderTest {

    private static final int KEYS = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private ConsumerHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private static ConsumerConfig config() {
        return ConsumerConfig.of(
                        Subscriber.named(ConsumerHarness.NAME).domains("orders").concurrency(4))
                .retries(RetryPolicy.fixed(3, Duration.ofMillis(10)));
    }

    private static List<Event> events(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ConsumerHarness.event("key-" + i % KEYS))
                .toList();
    }

    @Test
    void batchesOnFourThreadsKeepTheOrderOfTwoHundredKeys() {
        List<Event> events = events(TestSize.of(1_000, 5_000, 20_000));

        try (Consumer<Connection> consumer = harness.start(
                config().batch(50, Duration.ofMillis(5)),
                Handlers.<Connection>none().onAll("bill", effect("bill")))) {
            harness.publish(events.toArray(Event[]::new));
            awaitHandled(consumer, events.size());
        }

        assertThat(handledByKey(events)).isEqualTo(Inbound.byKey(events));
        assertThat(harness.rows("SELECT count(DISTINCT xmin::text) < count(*) / 3 FROM effect"))
                .as("many shared a transaction")
                .containsExactly("t");
    }

    @Test
    void aPoisonEventAmongManyIsOneDeadLetterAndStopsNobody() {
        List<Event> events = events(TestSize.of(500, 10_000, 10_000));
        Event poison = events.get(events.size() / 2);

        assertPoisoned(config(), events, poison);
    }

    @Test
    void aPoisonEventAmongManyInBatchesIsOneDeadLetterAndStopsNobody() {
        List<Event> events = events(TestSize.of(500, 10_000, 10_000));
        Event poison = events.get(events.size() / 2);

        assertPoisoned(config().batch(50, Duration.ofMillis(5)), events, poison);
    }

    private void assertPoisoned(ConsumerConfig config, List<Event> events, Event poison) {
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            ConsumerHarness.write("bill", event, connection);
            if (event.equals(poison)) {
                throw new IllegalStateException("poison");
            }
        });
        try (Consumer<Connection> consumer =
                harness.start(config, Handlers.<Connection>none().onAll("bill", handler))) {
            harness.publish(events.toArray(Event[]::new));
            awaitHandled(consumer, events.size() - 1);
            Await.until("one is dead", () -> consumer.report().totals().dead() == 1);
        }

        List<Event> others = new ArrayList<>(events);
        others.remove(poison);
        assertThat(handledByKey(events)).isEqualTo(Inbound.byKey(others));
        assertThat(harness.rows("SELECT event_id, state, attempts FROM posthorn.dead_letter"))
                .containsExactly(poison.id() + "|DEAD|3");
    }

    private static void awaitHandled(Consumer<Connection> consumer, int count) {
        Await.within(
                PATIENCE,
                () -> consumer.report().toString(),
                () -> consumer.report().totals().handled() == count);
    }

    /** In the order in which they were handled; one that was handled twice is here twice. */
    private Map<String, List<UUID>> handledByKey(List<Event> events) {
        Map<UUID, Event> byId = events.stream().collect(Collectors.toMap(Event::id, Function.identity()));
        return Inbound.byKey(harness.rows("SELECT event FROM effect ORDER BY n").stream()
                .map(id -> byId.get(UUID.fromString(id)))
                .toList());
    }
}
