package dev.posthorn.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that could not be handled, with all that is needed to handle it later. Immutable, except that the body's array
 * is not copied: whoever makes one gives it away.
 *
 * @param id of the dead letter; the event has its own
 * @param source where it died
 * @param event what it was, or null if it is undecodable
 * @param raw the message as it came, or as the event would come
 * @param cause why
 * @param occurredAt when it was given up
 * @param metadata where it came from in the transport's own terms, and what else helps
 */
public record DeadLetter(
        UUID id,
        Source source,
        @Nullable Event event,
        Raw raw,
        Cause cause,
        Instant occurredAt,
        Map<String, String> metadata) {

    /** Text headers and exact bytes, as brokers carry them. */
    @SuppressWarnings("ArrayRecordComponent") // passed on without a copy; never compared
    public record Raw(Map<String, String> headers, byte[] body) {
        public Raw {
            headers = Map.copyOf(headers);
        }
    }

    public DeadLetter {
        metadata = Map.copyOf(metadata);
    }

    /**
     * A dead letter of an event that a handler gave up, for people with their own loop.
     *
     * @param cause why, such as {@link Cause.ProcessingFailed}
     */
    public static DeadLetter of(Event event, Raw raw, Cause cause, Source source) {
        String name = source.consumer() + "/" + source.handler() + "/" + event.id();
        return new DeadLetter(
                UUID.nameUUIDFromBytes(name.getBytes(UTF_8)), source, event, raw, cause, Instant.now(), Map.of());
    }

    /** The record as headers beside the original message: cause, details, source, time and metadata. */
    public Map<String, String> headers() {
        return DeadLetterText.headers(this);
    }

    /** The whole record, with cover and payload, as one JSON object. */
    public String json() {
        return DeadLetterText.json(this);
    }

    public Optional<Event> decoded() {
        return Optional.ofNullable(event);
    }

    /** How often it was tried. */
    public int attempts() {
        return cause instanceof Cause.ProcessingFailed failed ? failed.attempts() : 1;
    }
}
