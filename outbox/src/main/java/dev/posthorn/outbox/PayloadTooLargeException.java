package dev.posthorn.outbox;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.UUID;

/** A payload is over the outbox's limit. Found before anything is sent, so the transaction is as it was. */
public final class PayloadTooLargeException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final UUID eventId;
    private final int size;
    private final int limit;

    public PayloadTooLargeException(Event event, int limit) {
        super("Nothing was emitted: the payload of " + event + " has " + event.payloadSize()
                + " bytes and the limit is " + limit
                + ". Store the content elsewhere and emit a reference to it, or raise maxPayloadBytes if every broker"
                + " behind it takes such messages.");
        this.eventId = event.id();
        this.size = event.payloadSize();
        this.limit = limit;
    }

    public UUID eventId() {
        return eventId;
    }

    public int size() {
        return size;
    }

    public int limit() {
        return limit;
    }
}
