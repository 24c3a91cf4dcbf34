package dev.posthorn.examples.holdco;

import dev.posthorn.event.Event;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The body of every message.
 *
 * @param eventType what happened to the aggregate
 * @param payload a JSON text
 */
public record Envelope(
        UUID eventId, Instant occurredAt, Subject subject, String eventType, Scope scope, String payload) {

    /** What it happened to. */
    public record Subject(String aggregateType, String aggregateId) {}

    /** Whose it is. */
    public record Scope(@Nullable String groupId, @Nullable String subsidiaryId) {}

    /** Of an event as it lies in the log, with its payload alone. */
    public static Envelope of(Event event) {
        return new Envelope(
                event.id(),
                event.occurredAt(),
                new Subject(
                        event.aggregateType().orElse(""), event.aggregateId().orElse("")),
                event.type(),
                new Scope(event.tenant().orElse(null), event.headers().get("subsidiary-id")),
                new String(event.payloadBytes(), StandardCharsets.UTF_8));
    }
}
