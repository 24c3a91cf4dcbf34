package dev.posthorn.codecs;

import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Another bus, with receivers that open envelopes. Publishes as the other does. */
final class OpeningBus implements Bus {

    private final Bus bus;
    private final List<Envelope> envelopes;
    private final boolean shared;

    /** Where the bus is shared with others, the broker can not filter. */
    OpeningBus(Bus bus, List<Envelope> envelopes, boolean shared) {
        this.bus = bus;
        this.envelopes = envelopes;
        this.shared = shared;
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
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        Subscriber asked =
                shared ? new Subscriber(subscriber.name(), Set.of(), Set.of(), subscriber.limits()) : subscriber;
        return bus.subscribe(asked, new OpeningReceiver(subscriber, receiver, envelopes));
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
