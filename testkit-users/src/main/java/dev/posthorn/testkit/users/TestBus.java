package dev.posthorn.testkit.users;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transports.memory.MemoryTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The memory transport with a record of what it accepted, publishes that fail when a test wants it, and retries that wait for
 * the test's clock. Thread-safe.
 */
final class TestBus implements Bus {

    private final MemoryTransport memory = MemoryTransport.builder().build();
    private final List<Event> accepted = new CopyOnWriteArrayList<>();
    private final Faults faults;
    private final Owed owed;

    TestBus(Faults faults, Owed owed) {
        this.faults = faults;
        this.owed = owed;
    }

    /** Everything accepted so far, in order, repeats included. */
    List<Event> accepted() {
        return List.copyOf(accepted);
    }

    void forget() {
        accepted.clear();
    }

    @Override
    public String name() {
        return memory.name();
    }

    @Override
    public Capabilities capabilities() {
        return memory.capabilities();
    }

    @Override
    public Duration ackDeadline() {
        return memory.ackDeadline();
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        owed.joined(subscriber);
        Subscription member = memory.subscribe(subscriber, owed.watched(subscriber, receiver));
        return new Subscription() {
            @Override
            public Subscriber subscriber() {
                return member.subscriber();
            }

            @Override
            public Status status() {
                return member.status();
            }

            @Override
            public void close() {
                owed.left(subscriber);
                member.close();
            }
        };
    }

    @Override
    public Publisher publisher() {
        Publisher publisher = memory.publisher();
        return new Publisher() {
            @Override
            public void publish(List<? extends Publication> publications) {
                publications.forEach(publication -> {
                    if (faults.nextPublishFails()) {
                        publication.settle(Outcome.failed("the test had this publish fail"));
                    } else {
                        owed.promised(publication.event());
                        publisher.publish(List.of(watched(publication)));
                    }
                });
            }

            @Override
            public void close() {
                publisher.close();
            }
        };
    }

    /** Written down before the relay is told, so that whoever sees the event published finds it here. */
    private Publication watched(Publication publication) {
        return publication.watched(outcome -> {
            if (outcome instanceof Outcome.Accepted) {
                accepted.add(publication.event());
            } else {
                owed.withdrawn(publication.event());
            }
        });
    }

    @Override
    public void close() {
        memory.close();
    }
}
