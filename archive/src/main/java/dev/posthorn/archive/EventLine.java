package dev.posthorn.archive;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import dev.posthorn.event.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One event as a line of JSON.
 *
 * <p>It begins with what {@link #head} needs to count a line without reading all of it. Absent values are left out. The
 * payload comes last and in pieces, since it may be large.
 */
final class EventLine {

    /** The head is within so many bytes. */
    static final int HEAD_BYTES = 100;

    /** A multiple of three, so that pieces of base64 fit together. */
    private static final int PIECE = 48 * 1024;

    private static final Pattern HEAD = Pattern.compile("\\{\"seq\":(\\d{1,19}),\"created_at\":\"([^\"]+)\",.*");

    private EventLine() {}

    record Head(long seq, Instant createdAt) {}

    /** What the first bytes of a line tell, if they are those of one. */
    static Optional<Head> head(byte[] first, int length) {
        Matcher found = HEAD.matcher(new String(first, 0, length, StandardCharsets.ISO_8859_1));
        try {
            return found.matches()
                    ? Optional.of(new Head(Long.parseLong(found.group(1)), Instant.parse(found.group(2))))
                    : Optional.empty();
        } catch (DateTimeException | NumberFormatException damaged) {
            return Optional.empty();
        }
    }

    static void write(ArchivedEvent archived, OutputStream out) throws IOException {
        Event event = archived.event();
        StringBuilder line = new StringBuilder(512);
        JsonObject json = new JsonObject(line).number("seq", archived.place().seq());
        json.text("created_at", archived.place().createdAt().toString())
                .text("id", event.id().toString())
                .text("tx", archived.place().tx())
                .number("lane", (long) archived.place().lane())
                .text("domain", event.domain())
                .text("type", event.type())
                .text("key", event.key().orElse(null))
                .number(
                        "sequence",
                        event.sequence().isPresent() ? event.sequence().getAsLong() : null)
                .text("aggregate_type", event.aggregateType().orElse(null))
                .text("aggregate_id", event.aggregateId().orElse(null))
                .text("tenant", event.tenant().orElse(null))
                .text("correlation_id", event.correlationId().orElse(null))
                .text("causation_id", event.causationId().orElse(null))
                .text("traceparent", event.traceparent().orElse(null))
                .json("headers", onOneLine(archived.headers()))
                .text("content_type", event.contentType())
                .text("occurred_at", event.occurredAt().toString())
                .text(
                        "deliver_after",
                        event.deliverAfter().map(Instant::toString).orElse(null));
        published(json, archived.publishedAt());
        line.append(",\"payload_base64\":\"");
        out.write(line.toString().getBytes(StandardCharsets.UTF_8));
        payload(event.payload(), out);
        out.write("\"}\n".getBytes(StandardCharsets.UTF_8));
    }

    /**
     * What {@link #write} wrote.
     *
     * @throws IllegalArgumentException or {@link DateTimeException}, if this is not such a line
     */
    static ArchivedEvent parse(String line) {
        Map<String, String> fields = JsonFields.of(line);
        @Nullable String headers = fields.get("headers");
        Map<String, Instant> publishedAt = new TreeMap<>();
        JsonFields.of(fields.getOrDefault("published_at", "{}"))
                .forEach((route, at) -> publishedAt.put(route, Instant.parse(at)));
        return new ArchivedEvent(
                new ArchivedEvent.Place(
                        Long.parseLong(needed(fields, "seq")),
                        needed(fields, "tx"),
                        Integer.parseInt(needed(fields, "lane")),
                        Instant.parse(needed(fields, "created_at"))),
                Event.restored(event(fields, headers)),
                headers,
                publishedAt);
    }

    private static EventFields event(Map<String, String> fields, @Nullable String headers) {
        @Nullable String sequence = fields.get("sequence");
        @Nullable String deliverAfter = fields.get("deliver_after");
        return new EventFields(
                UUID.fromString(needed(fields, "id")),
                needed(fields, "domain"),
                needed(fields, "type"),
                fields.get("key"),
                sequence == null ? null : Long.valueOf(sequence),
                new EventFields.Labels(
                        fields.get("aggregate_type"),
                        fields.get("aggregate_id"),
                        fields.get("tenant"),
                        fields.get("correlation_id"),
                        fields.get("causation_id"),
                        fields.get("traceparent")),
                new EventFields.Body(
                        headers == null ? Map.of() : Map.copyOf(JsonFields.of(headers)),
                        needed(fields, "content_type"),
                        Base64.getDecoder().decode(needed(fields, "payload_base64")),
                        Instant.parse(needed(fields, "occurred_at")),
                        deliverAfter == null ? null : Instant.parse(deliverAfter)));
    }

    private static String needed(Map<String, String> fields, String name) {
        @Nullable String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no " + name);
        }
        return value;
    }

    private static void published(JsonObject json, Map<String, Instant> publishedAt) {
        if (!publishedAt.isEmpty()) {
            Map<String, String> times = new TreeMap<>();
            publishedAt.forEach((route, at) -> times.put(route, at.toString()));
            json.object("published_at", times);
        }
    }

    private static void payload(ByteBuffer payload, OutputStream out) throws IOException {
        Base64.Encoder encoder = Base64.getEncoder();
        byte[] piece = new byte[Math.min(PIECE, payload.remaining())];
        while (payload.hasRemaining()) {
            int length = Math.min(piece.length, payload.remaining());
            payload.get(piece, 0, length);
            out.write(encoder.encode(length == piece.length ? piece : Arrays.copyOf(piece, length)));
        }
    }

    private static @Nullable String onOneLine(@Nullable String headers) {
        if (headers != null && (headers.indexOf('\n') >= 0 || headers.indexOf('\r') >= 0)) {
            throw new IllegalArgumentException("\"headers\" is more than one line of JSON: " + headers);
        }
        return headers;
    }
}
