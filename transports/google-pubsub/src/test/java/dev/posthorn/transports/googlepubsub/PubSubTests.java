package dev.posthorn.transports.googlepubsub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Subscription;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** One emulator for a class, a prefix of its own for each test, and somebody who looks at the messages themselves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PubSubTests {

    static final Subscriber BILLING =
            Subscriber.named("billing").domains("orders").drainTime(Duration.ofSeconds(2));

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    TestPubSub broker;
    Admin admin;
    String prefix;

    @BeforeAll
    final void startBroker() {
        broker = TestPubSub.start();
        admin = broker.admin();
    }

    @BeforeEach
    final void choosePrefix() {
        prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
    }

    @AfterEach
    final void closeAll() throws Exception {
        broker.gate().reopen();
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

    final GooglePubSubConfig config() {
        return broker.config(prefix);
    }

    final GooglePubSubTransport open(GooglePubSubConfig config) {
        return closing(new GooglePubSubTransport(config));
    }

    /** Through somebody who can let calls fail. */
    final Interposer interposed() {
        return closing(new Interposer(broker.emulator().address()));
    }

    final GooglePubSubConfig through(Interposer interposer) {
        return config().endpoint(Endpoint.emulator(TestPubSub.PROJECT, interposer.address()));
    }

    /** A subscription that only the test reads, in order; the topic is made too. */
    final String watch(String topic) {
        if (!admin.hasTopic(topic)) {
            admin.createTopic(topic);
        }
        String name = topic + "-watched";
        var unused = admin.create(Subscription.newBuilder()
                .setName(Admin.subscription(name))
                .setTopic(Admin.topic(topic))
                .setEnableMessageOrdering(true)
                .setAckDeadlineSeconds(60)
                .build());
        return name;
    }

    final String eventsTopic() {
        return prefix + "-events-orders";
    }

    static Event read(PubsubMessage message) {
        return EventMessage.read(new Message(
                Attributes.headers(message.getAttributesMap()),
                message.getData().toByteArray()));
    }

    static void publish(GooglePubSubTransport transport, List<Event> events) {
        assertThat(outcomes(transport, events)).allMatch(Outcome.Accepted.class::isInstance);
    }

    static List<Outcome> outcomes(GooglePubSubTransport transport, List<Event> events) {
        try (Publisher publisher = transport.publisher()) {
            return outcomes(publisher, events);
        }
    }

    static List<Outcome> outcomes(Publisher publisher, List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        publisher.publish(publications);
        return publications.stream().map(TrackedPublication::awaitOutcome).toList();
    }

    static Event event(String key) {
        return Event.of("orders", "Placed")
                .key(key)
                .payload(key.getBytes(UTF_8), "text/plain")
                .build();
    }

    static List<Event> events(int count, int keys) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of("orders", "Placed")
                        .key("key-" + i % keys)
                        .sequence(i)
                        .build())
                .toList();
    }

    /** Lets a handler take its time; ends early when it is interrupted. */
    static void takeTime(Duration time) {
        try {
            var unused = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
