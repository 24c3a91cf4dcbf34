package dev.posthorn.deadletter;

import dev.posthorn.event.Event;
import dev.posthorn.event.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Dead letters as text for brokers: as headers beside the original message, and as one JSON object. */
final class DeadLetterText {

    private static final String PREFIX = "posthorn-dead-";

    private DeadLetterText() {}

    /** All but the message itself, whose own headers and body stay as they are. */
    static Map<String, String> headers(DeadLetter letter) {
        Map<String, String> headers = new TreeMap<>();
        letter.cause().details().forEach((name, value) -> headers.put(PREFIX + "detail-" + name, value));
        letter.metadata().forEach((name, value) -> headers.put(PREFIX + "metadata-" + name, value));
        headers.put(PREFIX + "letter", letter.id().toString());
        headers.put(PREFIX + "cause", letter.cause().kind());
        headers.put(PREFIX + "reason", letter.cause().reason());
        headers.put(PREFIX + "attempts", Integer.toString(letter.attempts()));
        headers.put(PREFIX + "at", letter.occurredAt().toString());
        headers.put(PREFIX + "consumer", letter.source().consumer());
        headers.put(PREFIX + "handler", letter.source().handler());
        headers.put(PREFIX + "kind", letter.source().kind());
        headers.put(PREFIX + "component", letter.source().component());
        headers.values().removeIf(String::isEmpty); // some brokers have no empty headers
        return headers;
    }

    static String json(DeadLetter letter) {
        JsonObject json = new JsonObject()
                .text("id", letter.id().toString())
                .json("cover", cover(letter.event()))
                .object("headers", new TreeMap<>(letter.raw().headers()));
        putPayload(json, letter.raw().body());
        return json.text("rejection_reason", letter.cause().reason())
                .text("rejection_type", letter.cause().kind())
                .object("rejection_details", new TreeMap<>(letter.cause().details()))
                .number("attempts", (long) letter.attempts())
                .text("source_component", letter.source().component())
                .text("source_component_type", letter.source().kind())
                .text("consumer", letter.source().consumer())
                .text("handler", letter.source().handler())
                .text("occurred_at", letter.occurredAt().toString())
                .object("metadata", new TreeMap<>(letter.metadata()))
                .end()
                .toString();
    }

    /** Where the event belongs; nothing if the message is not an event. */
    private static String cover(@Nullable Event event) {
        JsonObject cover = new JsonObject();
        if (event != null) {
            cover.text("event_id", event.id().toString())
                    .text("domain", event.domain())
                    .text("type", event.type())
                    .text("root", event.key().orElse(null))
                    .text("correlation_id", event.correlationId().orElse(null))
                    .text("tenant", event.tenant().orElse(null));
            event.sequence().ifPresent(sequence -> cover.number("sequence", sequence));
        }
        return cover.end().toString();
    }

    /** As text if it is UTF-8, otherwise in base64. */
    private static void putPayload(JsonObject json, byte[] body) {
        try {
            json.text(
                    "payload",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(body))
                            .toString());
        } catch (CharacterCodingException binary) {
            json.text("payload_base64", Base64.getEncoder().encodeToString(body));
        }
    }
}
