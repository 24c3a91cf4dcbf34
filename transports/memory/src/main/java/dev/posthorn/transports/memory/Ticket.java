package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.concurrent.atomic.AtomicInteger;

/** One publication on its way into the queues; settled once, when the last subscriber has it or it is given up. */
final class Ticket {

    private static final int GIVEN_UP = Integer.MIN_VALUE;

    private final MemoryPublisher owner;
    private final Publication publication;
    private final Event event;
    private final long since;
    private final AtomicInteger missing;

    Ticket(MemoryPublisher owner, Publication publication, int subscribers, long since) {
        this.owner = owner;
        this.publication = publication;
        this.event = publication.event();
        this.since = since;
        this.missing = new AtomicInteger(subscribers);
    }

    Event event() {
        return event;
    }

    boolean isOf(MemoryPublisher publisher) {
        return owner == publisher;
    }

    /** How long it has been waiting, in nanoseconds. */
    long age(long now) {
        return now - since;
    }

    boolean isGivenUp() {
        return missing.get() < 0;
    }

    /** One more subscriber has it. */
    void arrived() {
        if (missing.decrementAndGet() == 0) {
            publication.settle(Outcome.accepted());
        }
    }

    /** Not every subscriber will get it this time; those that have it may get it twice. */
    void giveUp(String reason) {
        if (missing.getAndSet(GIVEN_UP) > 0) {
            publication.settle(Outcome.unavailable(reason));
        }
    }
}
