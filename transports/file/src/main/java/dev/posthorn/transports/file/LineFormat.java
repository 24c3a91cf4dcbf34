package dev.posthorn.transports.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.event.JsonObject;
import dev.posthorn.transport.Publication;
import java.nio.charset.CharacterCodingException;
import java.time.Clock;
import java.util.Base64;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One publication as one line of JSON; {@link FileTransport} lists the fields. */
final class LineFormat {

    private final @Nullable String relay;
    private final Clock clock;

    LineFormat(@Nullable String relay, Clock clock) {
        this.relay = relay;
        this.clock = clock;
    }

    /** The line in UTF-8, with its line feed and no other. */
    byte[] lineOf(Publication publication) {
        Event event = publication.event();
        byte[] payload = event.payloadBytes();
        StringBuilder line = new StringBuilder(512 + payload.length * 3);
        new JsonObject(line)
                .text("published_at", clock.instant().toString())
                .text("relay", relay)
                .number("attempt", (long) publication.attempt())
                .text("id", event.id().toString())
                .text("domain", event.domain())
                .text("type", event.type())
                .text("key", event.key().orElse(null))
                .number("sequence", boxed(event.sequence()))
                .text("aggregate_type", event.aggregateType().orElse(null))
                .text("aggregate_id", event.aggregateId().orElse(null))
                .text("tenant", event.tenant().orElse(null))
                .text("correlation_id", event.correlationId().orElse(null))
                .text("causation_id", event.causationId().orElse(null))
                .text("traceparent", event.traceparent().orElse(null))
                .object("headers", new TreeMap<>(event.headers()))
                .text("content_type", event.contentType())
                .text("occurred_at", event.occurredAt().toString())
                .text("payload_base64", Base64.getEncoder().encodeToString(payload))
                .text("payload", isText(event.contentType()) ? decoded(event) : null)
                .end();
        return line.append('\n').toString().getBytes(UTF_8);
    }

    private static @Nullable Long boxed(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    private static boolean isText(String contentType) {
        int parameters = contentType.indexOf(';');
        String kind = (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
        return kind.equals("application/json") || kind.endsWith("+json") || kind.startsWith("text/");
    }

    /** The payload as text, or null if it is not valid UTF-8. */
    private static @Nullable String decoded(Event event) {
        try {
            return UTF_8.newDecoder().decode(event.payload()).toString();
        } catch (CharacterCodingException notText) {
            return null;
        }
    }
}
