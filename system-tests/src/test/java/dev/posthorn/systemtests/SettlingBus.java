package dev.posthorn.systemtests;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A bus whose deliveries ask before they are settled; one that may not holds its thread for ever. */
record SettlingBus(Bus bus, Permission permission) implements Bus {

    interface Permission {
        boolean toSettle(Event event, Verdict verdict);
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        return bus.subscribe(subscriber, new Receiver() {
            @Override
            public void receive(Delivery delivery) {
                receiver.receive(new Asking(delivery, permission));
            }

            @Override
            public void undecodable(RawDelivery raw) {
                receiver.undecodable(raw);
            }
        });
    }

    private record Asking(Delivery delivery, Permission permission) implements Delivery {

        @Override
        public Event event() {
            return delivery.event();
        }

        @Override
        public int attempt() {
            return delivery.attempt();
        }

        @Override
        public Map<String, String> metadata() {
            return delivery.metadata();
        }

        @Override
        public void settle(Verdict verdict) {
            while (!permission.toSettle(delivery.event(), verdict)) {
                LockSupport.park(this);
            }
            delivery.settle(verdict);
        }
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
