package dev.posthorn.examples.licenses;

import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.time.Duration;

/** A bus on which the one subscriber has a subscription of a given name, and so need not be called like it. */
record NamedSubscription(Bus bus, String subscription) implements Bus {

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        return bus.subscribe(
                new Subscriber(subscription, subscriber.domains(), subscriber.types(), subscriber.limits()), receiver);
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
    public Duration ackDeadline() {
        return bus.ackDeadline();
    }

    @Override
    public void close() {
        bus.close();
    }
}
