package dev.posthorn.deadletter;

import dev.posthorn.event.Event;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("id", quoted(letter.id().toString()));
        fields.put("cover", object(cover(letter.event())));
        fields.put("headers", strings(letter.raw().headers()));
        putPayload(fields, letter.raw().body());
        fields.put("rejection_reason", quoted(letter.cause().reason()));
        fields.put("rejection_type", quoted(letter.cause().kind()));
        fields.put("rejection_details", strings(letter.cause().details()));
        fields.put("attempts", Integer.toString(letter.attempts()));
        fields.put("source_component", quoted(letter.source().component()));
        fields.put("source_component_type", quoted(letter.source().kind()));
        fields.put("consumer", quoted(letter.source().consumer()));
        fields.put("handler", quoted(letter.source().handler()));
        fields.put("occurred_at", quoted(letter.occurredAt().toString()));
        fields.put("metadata", strings(letter.metadata()));
        return object(fields);
    }

    /** Where the event belongs; nothing if the message is not an event. */
    private static Map<String, String> cover(@Nullable Event event) {
        Map<String, String> cover = new LinkedHashMap<>();
        if (event != null) {
            cover.put("event_id", quoted(event.id().toString()));
            cover.put("domain", quoted(event.domain()));
            cover.put("type", quoted(event.type()));
            put(cover, "root", event.key());
            put(cover, "correlation_id", event.correlationId());
            put(cover, "tenant", event.tenant());
            event.sequence().ifPresent(sequence -> cover.put("sequence", Long.toString(sequence)));
        }
        return cover;
    }

    private static void put(Map<String, String> fields, String name, Optional<String> value) {
        value.ifPresent(text -> fields.put(name, quoted(text)));
    }

    /** As text if it is UTF-8, otherwise in base64. */
    private static void putPayload(Map<String, String> fields, byte[] body) {
        try {
            fields.put(
                    "payload",
                    quoted(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(body))
                            .toString()));
        } catch (CharacterCodingException binary) {
            fields.put("payload_base64", quoted(Base64.getEncoder().encodeToString(body)));
        }
    }

    private static String strings(Map<String, String> texts) {
        Map<String, String> quoted = new TreeMap<>();
        texts.forEach((name, value) -> quoted.put(name, quoted(value)));
        return object(quoted);
    }

    private static String object(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":" + field.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
