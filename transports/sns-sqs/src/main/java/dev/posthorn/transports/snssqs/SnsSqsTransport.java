package dev.posthorn.transports.snssqs;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Carries events through a FIFO topic of Amazon SNS to a FIFO queue of Amazon SQS for each subscriber.
 *
 * <p>The message group is the event's key, so the events of a key are handled in order and one at a time, by whichever member
 * has them. An event is accepted when SNS has answered. Amazon drops an id that it has seen within five minutes, unless the
 * event is redriven or replayed.
 *
 * <p>Not guaranteed: an event is accepted also if nobody is subscribed; see {@link #unsubscribed}. A member that stands still for longer than the
 * visibility time may still be handling an event when another begins with the same. Thread-safe.
 */
public final class SnsSqsTransport implements Bus, SubscriberCheck {

    /** Amazon's own, and not to be changed. */
    private static final Duration DEDUPLICATION = Duration.ofMinutes(5);

    private final SnsSqsConfig config;
    private final ScheduledExecutorService timer = Threads.timed("posthorn-sns-timer");
    private final Set<SnsPublisher> publishers = ConcurrentHashMap.newKeySet();
    private final Set<SqsSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Connects to nothing yet. */
    public SnsSqsTransport(SnsSqsConfig config) {
        this.config = config;
        long often = Math.max(1, config.timing().answer().toMillis() / 10);
        var unused = timer.scheduleWithFixedDelay(this::look, often, often, TimeUnit.MILLISECONDS);
    }

    private void look() {
        publishers.removeIf(SnsPublisher::isClosed);
        subscriptions.removeIf(SqsSubscription::isClosed);
        publishers.forEach(SnsPublisher::giveUpOverdue);
    }

    @Override
    public String name() {
        return "sns-sqs";
    }

    /** The largest payload is one of text without headers; others are less by their headers, and by a quarter if binary. */
    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, false, false, Parcel.MOST_BYTES, DEDUPLICATION);
    }

    @Override
    public Duration ackDeadline() {
        return config.timing().visibility();
    }

    @Override
    public Publisher publisher() {
        SnsPublisher publisher = new SnsPublisher(config);
        publishers.add(publisher);
        if (closed) {
            publisher.close();
        }
        return publisher;
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        if (closed) {
            throw new PosthornException(
                    "Subscriber " + subscriber.name() + " can not be added: the SNS/SQS transport is closed.");
        }
        var unused = Layout.of(config.names(), subscriber); // throws if there can be no such names
        SqsSubscription subscription = new SqsSubscription(config, subscriber, receiver);
        subscriptions.add(subscription);
        subscription.start();
        return subscription;
    }

    /** Topics without a subscription. */
    @Override
    public Set<String> unsubscribed(Set<String> destinations) {
        if (destinations.isEmpty()) {
            return Set.of();
        }
        try (Clients clients = new Clients(config, 1)) {
            return new Topics(config, clients).unsubscribed(destinations);
        } catch (RuntimeException failed) {
            throw new PosthornException("SNS does not say who subscribes: " + Failures.reason(failed), failed);
        }
    }

    /** Closes its subscriptions and publishers. */
    @Override
    public void close() {
        closed = true;
        timer.shutdown();
        subscriptions.forEach(SqsSubscription::close);
        publishers.forEach(SnsPublisher::close);
    }
}
