package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.UnsafeByteOperations;
import com.google.pubsub.v1.PubsubMessage;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A publication on its way; settled by whoever is first. */
final class Parcel {

    private final Publication publication;
    private final AtomicBoolean settled = new AtomicBoolean();
    private final @Nullable PubsubMessage message;
    private final @Nullable Outcome refusal;

    private Parcel(Publication publication, @Nullable PubsubMessage message, @Nullable Outcome refusal) {
        this.publication = publication;
        this.message = message;
        this.refusal = refusal;
    }

    static Parcel of(Publication publication, GooglePubSubConfig config) {
        Event event = publication.event();
        long size = event.payloadSize();
        if (size > config.maxMessageBytes()) {
            Outcome tooLarge = Outcome.refused("its payload has " + size + " bytes, and the Google Pub/Sub transport"
                    + " takes " + config.maxMessageBytes() + " (maxMessageBytes)");
            return new Parcel(publication, null, tooLarge);
        }
        try {
            EventMessage.requireReadable(event);
            return new Parcel(publication, messageOf(event, Attributes.of(event)), null);
        } catch (PosthornException impossible) {
            return new Parcel(publication, null, Outcome.refused(String.valueOf(impossible.getMessage())));
        }
    }

    private static PubsubMessage messageOf(Event event, Map<String, String> attributes) {
        return PubsubMessage.newBuilder()
                .setData(UnsafeByteOperations.unsafeWrap(event.payload()))
                .putAllAttributes(attributes)
                .setOrderingKey(event.key().orElse(""))
                .build();
    }

    Event event() {
        return publication.event();
    }

    /** Why it can never be sent, or null. */
    @Nullable
    Outcome refusal() {
        return refusal;
    }

    PubsubMessage message() {
        if (message == null) {
            throw new IllegalStateException("it is refused");
        }
        return message;
    }

    int size() {
        return message == null ? 0 : message.getSerializedSize();
    }

    void settle(Outcome outcome) {
        if (settled.compareAndSet(false, true)) {
            publication.settle(outcome);
        }
    }
}
