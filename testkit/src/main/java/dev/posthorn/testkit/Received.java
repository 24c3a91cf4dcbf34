package dev.posthorn.testkit;

import dev.posthorn.event.Event;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What came out at the far end of a transport, in the terms that every transport must carry.
 *
 * @param payload the exact bytes; compared by content
 */
public record Received(
        UUID id,
        String type,
        @Nullable String key,
        @Nullable String correlationId,
        ByteBuffer payload) {

    /** For transports that hand over the event itself. */
    public static Received of(Event event) {
        return new Received(
                event.id(),
                event.type(),
                event.key().orElse(null),
                event.correlationId().orElse(null),
                event.payload());
    }
}
