package dev.posthorn.transports.redisstreams;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.concurrent.atomic.AtomicBoolean;

/** A publication that is on a connection; settled by whoever is first, the answer, the time-out or the loss. */
final class Parcel {

    private final Publication publication;
    private final long sentAt = System.nanoTime();
    private final AtomicBoolean settled = new AtomicBoolean();

    Parcel(Publication publication) {
        this.publication = publication;
    }

    Event event() {
        return publication.event();
    }

    boolean isOlderThan(long nanos) {
        return System.nanoTime() - sentAt > nanos;
    }

    void settle(Outcome outcome) {
        if (settled.compareAndSet(false, true)) {
            publication.settle(outcome);
        }
    }
}
