package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failure that many events have in common is logged once, not for each of them. */
class ConsumerLogTest {

    private static final int EVENTS = 60;

    private final PrintStream console = System.err;
    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private ConsumerHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
        System.setErr(new PrintStream(logged, true, UTF_8));
    }

    @AfterEach
    void close() {
        System.setErr(console);
        console.print(logged.toString(UTF_8));
        harness.close();
    }

    private static Event[] events() {
        return IntStream.range(0, EVENTS).mapToObj(i -> event("key-" + i)).toArray(Event[]::new);
    }

    private List<String> lines(String part) {
        return logged.toString(UTF_8)
                .lines()
                .filter(line -> line.contains(part))
                .toList();
    }

    @Test
    void aDeadLetterTargetThatIsDownIsNamedOnce() {
        DeadLetterTarget letters = new PostgresDeadLetters(harness.pool, Schema.DEFAULT);
        DeadLetterTarget down = letter -> {
            throw new IllegalStateException("the disk is full");
        };
        Handlers<Connection> handlers = Handlers.<Connection>none()
                .onAll("bill", EventHandler.of((event, connection) -> {
                    throw new IllegalStateException("poison");
                }));
        Equipment<Connection> equipment = new Equipment<>(
                new PostgresInbox(harness.pool, Schema.DEFAULT),
                DeadLetterChain.of(down, letters),
                new PostgresConsumers(harness.pool, Schema.DEFAULT));

        try (Consumer<Connection> consumer = Consumer.start(harness.bus, config(), handlers, equipment)) {
            harness.publish(events());
            Await.until(
                    () -> consumer.report().toString(),
                    () -> consumer.report().totals().dead() == EVENTS);
        }

        assertThat(lines("the disk is full")).singleElement().asString().contains("consumer=billing");
    }

    @Test
    void anInboxThatFailsForEveryEventOfABatchIsNamedOnce() {
        Handlers<Connection> handlers = Handlers.<Connection>none()
                .onAll("bill", EventHandler.of((event, connection) -> {
                    if (broken.get()) {
                        throw new IllegalStateException("poison");
                    }
                    ConsumerHarness.write("bill", event, connection);
                }));
        PostgresInbox inbox = new PostgresInbox(harness.pool, Schema.DEFAULT);
        Inbox<Connection> undecided = new Inbox<>() {
            @Override
            public InboxSession<Connection> begin() {
                return inbox.begin();
            }

            @Override
            public Trouble troubleOf(Throwable failure) {
                throw new IllegalStateException("the inbox is out of order");
            }
        };
        Equipment<Connection> equipment = new Equipment<>(
                undecided, DeadLetterChain.transport(), new PostgresConsumers(harness.pool, Schema.DEFAULT));
        ConsumerConfig batches = config().batch(10, Duration.ofMillis(20));

        try (Consumer<Connection> consumer = Consumer.start(harness.bus, batches, handlers, equipment)) {
            harness.publish(events());
            Await.until(
                    () -> consumer.report().toString(),
                    () -> consumer.report().totals().retried() >= EVENTS);
            broken.set(false);
            Await.until(
                    () -> consumer.report().toString(), () -> harness.effects().size() == EVENTS);
        }

        assertThat(lines("the inbox is out of order"))
                .singleElement()
                .asString()
                .contains("consumer=billing");
    }
}
