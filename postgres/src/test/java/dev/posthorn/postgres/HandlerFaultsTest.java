package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Verdict;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a handler throws, leaves behind or returns: its event pays for it by the policy, and all others are handled. */
@Tag("exact")
@Tag("slow")
class HandlerFaultsTest {

    private static final int EVENTS = 40;

    private ConsumerHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    /** What a handler does to one event of forty, by name. */
    private record Misbehaviour(String name, String reason, EventHandler<Connection> handler) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Misbehaviour throwing(Supplier<? extends Throwable> thrown) {
        String name = thrown.get().getClass().getSimpleName();
        return new Misbehaviour(name, name + ": on purpose", (event, connection) -> {
            throw HandlerFaultsTest.<RuntimeException>sneaky(thrown.get());
        });
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @SuppressWarnings("NullAway") // that is what it is about
    private static Verdict nothing() {
        return null;
    }

    private static Stream<Arguments> misbehaviours() {
        List<Misbehaviour> all = List.of(
                throwing(() -> new IllegalStateException("on purpose")),
                throwing(() -> new IOException("on purpose")),
                throwing(() -> new OutOfMemoryError("on purpose")),
                throwing(() -> new StackOverflowError("on purpose")),
                throwing(() -> new NoClassDefFoundError("on purpose")),
                throwing(() -> new AssertionError("on purpose")),
                throwing(() -> new Throwable("on purpose")),
                throwing(() -> new InterruptedException("on purpose")),
                new Misbehaviour("returns null", "returned null", (event, connection) -> nothing()));
        return all.stream().flatMap(one -> Stream.of(Arguments.of(one, false), Arguments.of(one, true)));
    }

    private static ConsumerConfig mode(boolean batches) {
        return batches ? config().batch(EVENTS, Duration.ofMillis(50)) : config();
    }

    @ParameterizedTest(name = "{0}, batches: {1}")
    @MethodSource("misbehaviours")
    void oneEventPaysAndTheOthersAreHandled(Misbehaviour misbehaviour, boolean batches) {
        Event bad = event("bad");
        Handlers<Connection> handlers = Handlers.<Connection>none().on("order.placed", "bill", (event, connection) -> {
            if (event.equals(bad)) {
                return misbehaviour.handler().handle(event, connection);
            }
            ConsumerHarness.write("bill", event, connection);
            return Verdict.done();
        });
        List<Event> events = events(bad);
        try (Consumer<Connection> consumer = harness.start(mode(batches), handlers)) {
            harness.publish(events.toArray(Event[]::new));

            Await.until(
                    () -> harness.effects().size() + " handled, letters " + harness.letters() + ", "
                            + consumer.report(),
                    () -> harness.effects().size() == EVENTS - 1
                            && harness.letters().size() == 1);
            Await.untilCounted(2, () -> consumer.report().totals().retried());
        }
        assertThat(harness.letters())
                .singleElement()
                .asString()
                .startsWith("DEAD bill processing-failed 3 ")
                .contains(misbehaviour.reason());
    }

    @ParameterizedTest(name = "batches: {0}")
    @ValueSource(booleans = {false, true})
    void aHandlerThatLeavesTheInterruptFlagSetStopsNothing(boolean batches) {
        Handlers<Connection> handlers = Handlers.<Connection>none().on("order.placed", "bill", (event, connection) -> {
            ConsumerHarness.write("bill", event, connection);
            Thread.currentThread().interrupt();
            return Verdict.done();
        });
        try (Consumer<Connection> consumer = harness.start(mode(batches), handlers)) {
            for (int round = 1; round <= 3; round++) {
                int expected = round * EVENTS;
                harness.publish(events(event("first")).toArray(Event[]::new));
                Await.until(
                        () -> consumer.report().toString(),
                        () -> harness.effects().size() == expected);
            }
            assertThat(consumer.report().totals().retried()).isZero();
        }
        assertThat(harness.letters()).isEmpty();
    }

    private static List<Event> events(Event first) {
        List<Event> events = new ArrayList<>(List.of(first));
        while (events.size() < EVENTS) {
            events.add(event("key-" + events.size()));
        }
        return events;
    }
}
