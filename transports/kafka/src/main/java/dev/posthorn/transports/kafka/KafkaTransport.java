package dev.posthorn.transports.kafka;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Carries events over Apache Kafka.
 *
 * <p>An event is accepted when all replicas in sync have it. The events of a key are in one partition, and reach each
 * subscriber in the order of their publishing. What a subscriber has not settled comes again. Thread-safe.
 *
 * <p>Not guaranteed: attempts are counted within one member only, for Kafka counts none. Retention is the topic's: who is away
 * for longer misses events.
 */
public final class KafkaTransport implements Bus, SubscriberCheck {

    private final Cluster cluster;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private boolean closed;

    /** Connects to nothing yet. Throws {@link PosthornException} if the settings are not possible. */
    public KafkaTransport(KafkaConfig config) {
        this.cluster = Cluster.of(config);
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                true, true, true, false, false, cluster.config().topics().maxMessageBytes(), Duration.ZERO);
    }

    @Override
    public Duration ackDeadline() {
        return Duration.ZERO;
    }

    @Override
    public Publisher publisher() {
        return opened(() -> new KafkaPublisher(cluster, new RecordSender(cluster), this::forget));
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        KafkaSubscription subscription =
                opened(() -> new KafkaSubscription(cluster, subscriber, receiver, this::forget));
        subscription.begin();
        return subscription;
    }

    /** Topics that no consumer group reads. A consumer that assigns itself partitions without a group is not seen. */
    @Override
    public Set<String> unsubscribed(Set<String> destinations) {
        return destinations.isEmpty()
                ? Set.of()
                : new TopicSubscribers(cluster.properties()).unsubscribed(destinations);
    }

    private synchronized <T extends AutoCloseable> T opened(Supplier<T> opening) {
        if (closed) {
            throw new PosthornException("The Kafka transport is closed.");
        }
        T resource = opening.get();
        open.push(resource);
        return resource;
    }

    private synchronized void forget(AutoCloseable ended) {
        open.remove(ended);
    }

    private synchronized Deque<AutoCloseable> closing() {
        closed = true;
        return new ArrayDeque<>(open);
    }

    /** Closes what it has opened and nobody closed, the last one first. */
    @Override
    public void close() {
        for (AutoCloseable resource : closing()) {
            try {
                resource.close();
            } catch (Exception impossible) {
                throw new PosthornException("Kafka could not be left: " + impossible.getMessage(), impossible);
            }
        }
    }
}
