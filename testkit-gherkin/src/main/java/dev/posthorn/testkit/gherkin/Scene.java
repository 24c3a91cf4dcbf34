package dev.posthorn.testkit.gherkin;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** What one scenario has opened, published and received. */
final class Scene {

    /** A member of a subscriber, and what it got. */
    record Member(Bus bus, Subscription subscription, Inbound inbound) {}

    private static @Nullable TestBroker broker;

    private final String prefix = "g" + UUID.randomUUID().toString().substring(0, 8);
    private final Map<String, Member> members = new HashMap<>();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Event> published = new ArrayList<>();
    private final List<TrackedPublication> publications = new ArrayList<>();

    /** Starts the broker that this module's tests provide. */
    static void start() throws Exception {
        broker = ServiceLoader.load(TestBrokerProvider.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No " + TestBrokerProvider.class.getName()
                        + " is registered in META-INF/services of the tests"))
                .start();
    }

    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    TestBroker broker() {
        return Objects.requireNonNull(broker, "the broker was not started");
    }

    BrokerFaults faults() {
        require(broker().faults().isPresent(), "there is no broker that could fail");
        return broker().faults().orElseThrow();
    }

    static void require(boolean possible, String otherwise) {
        if (!possible) {
            System.out.println("skipped: a scenario, because " + otherwise);
        }
        Assumptions.assumeTrue(possible, otherwise);
    }

    String prefix() {
        return prefix;
    }

    Bus bus() {
        Bus bus = broker().open(prefix);
        open.push(bus);
        return bus;
    }

    Member join(Subscriber subscriber, Function<Delivery, Verdict> answer) {
        return join(subscriber.name(), subscriber, answer);
    }

    Member join(String as, Subscriber subscriber, Function<Delivery, Verdict> answer) {
        Bus bus = bus();
        Inbound inbound = new Inbound(answer);
        Subscription subscription = bus.subscribe(subscriber, inbound);
        open.push(subscription);
        Member member = new Member(bus, subscription, inbound);
        members.put(as, member);
        return member;
    }

    Member member(String name) {
        return Objects.requireNonNull(members.get(name), () -> "nobody is called " + name + " here");
    }

    /** Publishes each once and waits for what became of it. */
    void publish(Bus bus, List<Event> events) {
        List<TrackedPublication> mine = TrackedPublication.firstOf(events);
        try (Publisher publisher = bus.publisher()) {
            publisher.publish(mine);
            mine.forEach(TrackedPublication::awaitOutcome);
        }
        synchronized (published) {
            published.addAll(events);
            publications.addAll(mine);
        }
    }

    /** Publishes each until it is accepted, and does not wait. */
    void keepPublishing(List<Event> events) {
        PatientPublisher publisher = new PatientPublisher(bus().publisher());
        open.push(publisher);
        published.addAll(events);
        publisher.publish(events);
    }

    List<Event> published() {
        return published;
    }

    List<TrackedPublication> publications() {
        return publications;
    }

    /** Closes what was opened, the last one first. */
    void end() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
