package dev.posthorn.transports.memory;

import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.time.Duration;

/** One of several that share a memory transport, as processes share a broker; closing it leaves the others alone. */
record SharedBus(MemoryTransport transport) implements Bus {

    @Override
    public String name() {
        return transport.name();
    }

    @Override
    public Capabilities capabilities() {
        return transport.capabilities();
    }

    @Override
    public Duration ackDeadline() {
        return Duration.ZERO;
    }

    @Override
    public Publisher publisher() {
        return transport.publisher();
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        return transport.subscribe(subscriber, receiver);
    }

    @Override
    public void close() {}
}
