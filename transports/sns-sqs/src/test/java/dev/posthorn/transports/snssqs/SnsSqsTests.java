package dev.posthorn.transports.snssqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** One emulator for a class, a prefix of its own for each test, and Amazon's own clients beside the transport. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SnsSqsTests {

    static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    TestSnsSqs broker;
    SqsClient sqs;
    SnsClient sns;
    String prefix;

    @BeforeAll
    final void startBroker() {
        broker = TestSnsSqs.start();
        sqs = broker.admin().sqs();
        sns = broker.admin().sns();
    }

    @BeforeEach
    final void choosePrefix() {
        prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @AfterAll
    final void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    final <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    final SnsSqsConfig config() {
        return broker.config(prefix);
    }

    final SnsSqsTransport transport() {
        return open(config());
    }

    final SnsSqsTransport open(SnsSqsConfig config) {
        return closing(new SnsSqsTransport(config));
    }

    /** The queue of this subscriber, made and left alone. */
    final String queueOf(SnsSqsConfig config, Subscriber subscriber) {
        return new Queues(config, broker.admin())
                .provide(Layout.of(config.names(), subscriber), subscriber)
                .queue();
    }

    static List<Outcome> outcomes(SnsSqsTransport transport, List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        try (Publisher publisher = transport.publisher()) {
            publisher.publish(publications);
            return publications.stream().map(TrackedPublication::awaitOutcome).toList();
        }
    }

    static void publish(SnsSqsTransport transport, Event... events) {
        assertThat(outcomes(transport, List.of(events))).allMatch(Outcome.Accepted.class::isInstance);
    }

    static Event event(String key) {
        return Event.of("orders", "Placed")
                .key(key)
                .payload(key.getBytes(UTF_8), "text/plain")
                .build();
    }

    /** As a relay publishes what an operator wants again. */
    record Redriven(TrackedPublication publication) implements Publication {

        @Override
        public Event event() {
            return publication.event();
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public boolean isRedriven() {
            return true;
        }

        @Override
        public void settle(Outcome outcome) {
            publication.settle(outcome);
        }
    }
}
