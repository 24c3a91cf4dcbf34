package dev.posthorn.transports.rabbitmq;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Carries events over RabbitMQ 3.10 or later.
 *
 * <p>An event is accepted when the broker has confirmed it, which it does when every queue that is bound for it has it on
 * disk. The events of a key reach each subscriber in order, also when its members come and go, unless the queues are competing.
 * A subscriber begins with what is published after its queues were made, and keeps missing nothing while no member is there.
 *
 * <p>Every publisher and every subscription has a connection of its own. Thread-safe.
 */
public final class RabbitMqTransport implements Bus, SubscriberCheck {

    /** The broker closes a channel whose deliveries wait longer, unless it was set otherwise. */
    private static final Duration CONSUMER_TIMEOUT = Duration.ofMinutes(30);

    private final RabbitMqConfig config;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private final ReturnedEvents returns = new ReturnedEvents();
    private volatile boolean closed;

    /** Connects to nothing yet; throws {@link PosthornException} with every fault of the configuration. */
    public RabbitMqTransport(RabbitMqConfig config) {
        config.check();
        this.config = config;
    }

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                !config.queues().competing(),
                true,
                true,
                false,
                config.unroutable() == Unroutable.FAIL,
                config.limits().maxMessageBytes(),
                Duration.ZERO);
    }

    @Override
    public Duration ackDeadline() {
        return CONSUMER_TIMEOUT;
    }

    @Override
    public Publisher publisher() {
        RabbitMqPublisher publisher = new RabbitMqPublisher(config, returns, open::remove);
        open.add(publisher);
        if (closed) {
            publisher.close();
        }
        return publisher;
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        if (closed) {
            throw new PosthornException("Subscriber " + subscriber.name() + " can not be added: this is closed.");
        }
        var unused = Layout.of(config, subscriber); // throws if there can be no such names
        RabbitMqSubscription subscription = new RabbitMqSubscription(config, subscriber, receiver, open::remove);
        open.add(subscription);
        subscription.start();
        return subscription;
    }

    /**
     * Exchanges that returned the last event of this process, because no queue is bound for it. AMQP itself does not say
     * what is bound, so nothing is known before the first event.
     */
    @Override
    public Set<String> unsubscribed(Set<String> destinations) {
        return returns.of(destinations);
    }

    /** Closes what is still open of it. */
    @Override
    public void close() {
        closed = true;
        for (AutoCloseable one : open) {
            try {
                one.close();
            } catch (Exception unexpected) {
                throw new PosthornException(
                        "The RabbitMQ transport did not close: " + unexpected.getMessage(), unexpected);
            }
        }
        open.clear();
    }
}
