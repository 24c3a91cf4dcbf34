package dev.posthorn.transports.rabbitmq;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One publication on its way. Settled once, by whoever comes first: the broker, the clock or the end. Thread-safe. */
final class Sending {

    private final Duration patience;
    /** Null as soon as it is settled, so that the event is not kept. */
    private @Nullable Publication publication;

    private boolean sent;
    private long deadline;
    private boolean returned;
    /** What the broker's complaints are matched with; set when it is sent. */
    private String exchange = "";

    private String id = "";
    private int size;

    Sending(Publication publication, Duration patience) {
        this.publication = publication;
        this.patience = patience;
    }

    /** The publication, or null if it is settled. */
    synchronized @Nullable Publication publication() {
        return publication;
    }

    /** Its time starts, and nobody knows whether it arrived until the broker says so. False if it is settled. */
    synchronized boolean begin(String toExchange) {
        if (publication == null) {
            return false;
        }
        sent = true;
        deadline = System.nanoTime() + patience.toNanos();
        exchange = toExchange;
        id = publication.event().id().toString();
        size = publication.event().payloadSize();
        return true;
    }

    void settle(Outcome outcome) {
        @Nullable Publication mine;
        synchronized (this) {
            mine = publication;
            publication = null;
        }
        if (mine != null) {
            mine.settle(outcome);
        }
    }

    /** Settles it by what is known if nothing more will be heard. */
    void giveUp(String reason) {
        settle(wasSent() ? Outcome.unknown(reason) : Outcome.unavailable(reason));
    }

    synchronized boolean isSettled() {
        return publication == null;
    }

    /** Whether it was sent, and no confirm came in time. */
    synchronized boolean isOverdue(long now) {
        return sent && now - deadline > 0;
    }

    synchronized boolean wasSent() {
        return sent;
    }

    /** True if this is the one that came back, and did not before. */
    synchronized boolean comesBack(String eventId) {
        boolean mine = !returned && id.equals(eventId);
        returned |= mine;
        return mine;
    }

    synchronized boolean returned() {
        return returned;
    }

    synchronized String exchange() {
        return exchange;
    }

    synchronized int size() {
        return size;
    }
}
