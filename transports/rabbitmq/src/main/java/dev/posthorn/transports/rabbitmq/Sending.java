package dev.posthorn.transports.rabbitmq;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One publication on its way. Settled once, by whoever comes first: the broker, the clock or the end. Thread-safe. */
final class Sending {

    private final long deadline;
    private final Duration patience;
    /** Null as soon as it is settled, so that the event is not kept. */
    private @Nullable Publication publication;

    private boolean sent;
    private boolean returned;
    /** What the broker's complaints are matched with; set when it is sent. */
    private String exchange = "";

    private String id = "";
    private int size;

    Sending(Publication publication, Duration patience) {
        this.publication = publication;
        this.patience = patience;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    /** The publication, or null if its time is over. */
    synchronized @Nullable Publication publication() {
        return publication;
    }

    /** From now on nobody knows whether it arrived, until the broker says so. False if its time is over. */
    synchronized boolean begin(String toExchange) {
        if (publication == null) {
            return false;
        }
        sent = true;
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

    /** Whether nothing more is to be done, because it is settled or its time is over. */
    boolean isOver(long now) {
        if (publication() != null && now - deadline > 0) {
            giveUp("no answer within " + patience.toMillis() + " ms");
        }
        return publication() == null;
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
