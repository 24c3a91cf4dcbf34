package dev.posthorn.testkit.users;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What subscribers have yet to handle, and what of that waits for a time. A delivery that shall come again is not settled before
 * its time has come on the test's clock; until then it holds its key, as on a real transport. Thread-safe.
 */
final class Owed {

    /** A retry that waits. */
    private record Waiting(Instant due, Delivery delivery, String reason) {}

    private final Object lock = new Object();
    /** Guarded by the lock, as all else here. */
    private final Map<String, Integer> members = new HashMap<>();

    private final Map<String, Subscriber> subscribers = new HashMap<>();
    private final Map<String, Integer> events = new HashMap<>();
    private final Map<String, List<Waiting>> waiting = new HashMap<>();
    private Instant now;
    private long changes;

    Owed(Instant now) {
        this.now = now;
    }

    void joined(Subscriber subscriber) {
        synchronized (lock) {
            members.merge(subscriber.name(), 1, Integer::sum);
            subscribers.put(subscriber.name(), subscriber);
        }
    }

    /** With its last member, a subscriber's events are gone. */
    void left(Subscriber subscriber) {
        synchronized (lock) {
            if (members.merge(subscriber.name(), -1, Integer::sum) == 0) {
                subscribers.remove(subscriber.name());
                events.remove(subscriber.name());
                waiting.remove(subscriber.name());
            }
        }
    }

    void promised(Event event) {
        count(event, 1);
    }

    void withdrawn(Event event) {
        count(event, -1);
    }

    private void count(Event event, int by) {
        synchronized (lock) {
            changes++;
            subscribers.values().stream()
                    .filter(subscriber -> subscriber.wants(event))
                    .forEach(subscriber -> events.merge(subscriber.name(), by, Integer::sum));
        }
    }

    /** Whether all that is left waits for a time. */
    boolean isQuiet() {
        synchronized (lock) {
            return events.entrySet().stream()
                    .allMatch(entry -> entry.getValue()
                            <= waiting.getOrDefault(entry.getKey(), List.of()).size());
        }
    }

    /** Grows with everything that is published or handled. */
    long changes() {
        synchronized (lock) {
            return changes;
        }
    }

    void advanced(Duration by) {
        List<Waiting> due = new ArrayList<>();
        synchronized (lock) {
            now = now.plus(by);
            waiting.values().forEach(list -> list.removeIf(one -> !one.due().isAfter(now) && due.add(one)));
        }
        due.forEach(one -> one.delivery().settle(Verdict.retry(Duration.ZERO, one.reason())));
    }

    Receiver watched(Subscriber subscriber, Receiver receiver) {
        return new Receiver() {
            @Override
            public void receive(Delivery delivery) {
                receiver.receive(new Settling(subscriber.name(), delivery));
            }

            @Override
            public boolean receivesBeyondFilter(Event event) {
                return receiver.receivesBeyondFilter(event);
            }

            @Override
            public void undecodable(RawDelivery raw) {
                receiver.undecodable(raw);
            }
        };
    }

    private void settle(String subscriber, Delivery delivery, Verdict verdict) {
        if (verdict instanceof Verdict.Retry again) {
            synchronized (lock) {
                if (subscribers.containsKey(subscriber)) {
                    waiting.computeIfAbsent(subscriber, any -> new ArrayList<>())
                            .add(new Waiting(now.plus(again.after()), delivery, again.reason()));
                    return;
                }
            }
        } else {
            synchronized (lock) {
                changes++;
                events.computeIfPresent(subscriber, (name, left) -> left - 1);
            }
        }
        delivery.settle(verdict);
    }

    private final class Settling implements Delivery {

        private final String subscriber;
        private final Delivery delivery;

        Settling(String subscriber, Delivery delivery) {
            this.subscriber = subscriber;
            this.delivery = delivery;
        }

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
            Owed.this.settle(subscriber, delivery, verdict);
        }
    }
}
