package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handlers that take more than half of the time after which the broker brings an event again. */
class ConsumerDeadlineTest {

    private static final int HANDLING_MILLIS = 60;

    private ConsumerHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    /** A bus of memory whose events come again after this time. */
    private record Impatient(Bus bus, Duration ackDeadline) implements Bus {

        @Override
        public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
            return bus.subscribe(subscriber, receiver);
        }

        @Override
        public String name() {
            return bus.name();
        }

        @Override
        public Capabilities capabilities() {
            return bus.capabilities();
        }

        @Override
        public Publisher publisher() {
            return bus.publisher();
        }

        @Override
        public void close() {
            bus.close();
        }
    }

    private Consumer<Connection> slow(Duration deadline) {
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            TimeUnit.MILLISECONDS.sleep(HANDLING_MILLIS);
            ConsumerHarness.write("bill", event, connection);
        });
        return Consumer.start(
                new Impatient(harness.bus, deadline),
                config(),
                Handlers.<Connection>none().onAll("bill", handler),
                PostgresInbox.equipment(harness.pool, Schema.DEFAULT));
    }

    @Test
    void isToldToOperatorsWithWhatToDo() {
        try (Consumer<Connection> consumer = slow(Duration.ofMillis(HANDLING_MILLIS * 2 - 1))) {
            assertThat(consumer.report().trouble()).isEmpty();
            harness.publish(event("a"));
            Await.until(
                    "any process's view has it",
                    () -> harness.rows("SELECT trouble FROM posthorn.consumer_member").stream()
                            .anyMatch(trouble -> trouble.matches("Handlers take up to [0-9]+ ms, and the transport"
                                    + " brings an event again after 119 ms: make that at least twice as long")));
        }
    }

    @Test
    void isNoTroubleWithTimeEnoughOrWithoutSuchATime() {
        for (Duration deadline : new Duration[] {Duration.ofMinutes(5), Duration.ZERO}) {
            try (Consumer<Connection> consumer = slow(deadline)) {
                harness.publish(event("a"));
                Await.until("it is handled", () -> consumer.report().totals().handled() == 1);
                assertThat(consumer.report().trouble()).isEmpty();
            }
        }
    }
}
