package dev.posthorn.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/** What the contracts have in common: one broker for a class, destinations of its own for each test, and pinned skips. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("exact")
public abstract class BrokerTests {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Set<String> skipped = new TreeSet<>();
    private final Set<String> run = new TreeSet<>();
    private @Nullable TestBroker startedBroker;
    private String test = "";
    private String prefix = "";

    /** Starts the broker; once for the class. It is closed with it. */
    protected abstract TestBroker startBroker() throws Exception;

    /** Names of the tests that this transport can not pass because its broker lacks what they are about. */
    protected Set<String> skips() {
        return Set.of();
    }

    @BeforeAll
    final void startTheBroker() throws Exception {
        startedBroker = startBroker();
    }

    @BeforeEach
    final void name(TestInfo info) {
        test = info.getTestMethod().orElseThrow().getName();
        run.add(test);
        prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @AfterAll
    final void stopTheBroker() {
        if (startedBroker != null) {
            startedBroker.close();
        }
        Set<String> expected = new TreeSet<>(skips());
        expected.retainAll(run);
        assertThat(skipped).as("tests that were skipped").isEqualTo(expected);
    }

    /** Skips the test unless this holds; the reason is printed and the skip must be pinned in {@link #skips}. */
    final void require(boolean possible, String otherwise) {
        if (!possible) {
            skipped.add(test);
            System.out.println("skipped: " + test + ", because " + otherwise);
        }
        Assumptions.assumeTrue(possible, otherwise);
    }

    final TestBroker broker() {
        if (startedBroker == null) {
            throw new IllegalStateException("the broker was not started");
        }
        return startedBroker;
    }

    final String prefix() {
        return prefix;
    }

    /** Another transport over the destinations of this test. */
    final Bus bus() {
        return closing(broker().open(prefix));
    }

    final Bus lenientBus() {
        return closing(broker().openLenient(prefix));
    }

    final Capabilities capabilities() {
        return bus().capabilities();
    }

    final Subscription subscribe(Bus bus, Subscriber subscriber, Receiver receiver) {
        return closing(bus.subscribe(subscriber, receiver));
    }

    /** Closed after the test, the last one first. */
    final <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    /** Publishes and expects every event to be accepted. */
    final void publish(Bus bus, List<Event> events) {
        assertThat(outcomes(bus, events)).as("outcomes").allMatch(Outcome.Accepted.class::isInstance);
    }

    final List<Outcome> outcomes(Bus bus, List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        try (Publisher publisher = bus.publisher()) {
            publisher.publish(publications);
            return publications.stream().map(TrackedPublication::awaitOutcome).toList();
        }
    }

    static Event event(String domain, String key) {
        return Event.of(domain, "Placed")
                .key(key)
                .payload(key.getBytes(UTF_8), "text/plain")
                .build();
    }

    static List<Event> events(int count, int keys) {
        List<Event> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            events.add(Event.of("orders", "Placed")
                    .key("key-" + i % keys)
                    .sequence(i)
                    .payload(("number " + i).getBytes(UTF_8), "text/plain")
                    .build());
        }
        return events;
    }

    static Set<UUID> ids(List<Event> events) {
        Set<UUID> ids = new TreeSet<>();
        events.forEach(event -> ids.add(event.id()));
        return ids;
    }
}
