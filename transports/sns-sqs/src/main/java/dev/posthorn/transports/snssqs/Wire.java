package dev.posthorn.transports.snssqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an event looks at Amazon: the payload as the message's text, and few attributes, because SNS drops all of them from a
 * raw delivery if there are more than ten.
 *
 * <p>Domain and type are attributes of their own, for filter policies. All headers are together in {@value #EVENT}, as JSON in
 * ASCII. Bytes that are no text which Amazon takes travel as Base64, and {@value #ENCODING} says so.
 *
 * @param text never empty
 * @param attributes none of them empty
 */
record Wire(String text, Map<String, String> attributes) {

    static final String EVENT = "posthorn-event";
    static final String ENCODING = "posthorn-encoding";
    /** Why a dead letter is one; as JSON. */
    static final String DEAD = "posthorn-dead";

    private static final String BASE64 = "base64";
    private static final String EMPTY = "empty";
    private static final int ATTRIBUTE_TYPE_BYTES = "String".length();
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    static Wire of(Event event) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(EventMessage.DOMAIN, event.domain());
        attributes.put(EventMessage.TYPE, event.type());
        attributes.put(EVENT, json(EventMessage.headersOf(event)));
        byte[] payload = event.payloadBytes();
        Optional<String> plain = plainText(payload);
        if (plain.isPresent()) {
            return new Wire(plain.get(), attributes);
        }
        attributes.put(ENCODING, payload.length == 0 ? EMPTY : BASE64);
        return new Wire(payload.length == 0 ? EMPTY : Base64.getEncoder().encodeToString(payload), attributes);
    }

    static String json(Map<String, ?> values) {
        try {
            return JSON.writeValueAsString(values);
        } catch (JsonProcessingException impossible) {
            throw new PosthornException("Cannot write JSON: " + impossible.getOriginalMessage(), impossible);
        }
    }

    /** As Amazon counts: text, and of each attribute name, type and value. */
    int bytes() {
        int bytes = utf8Length(text);
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            bytes += utf8Length(attribute.getKey()) + ATTRIBUTE_TYPE_BYTES + utf8Length(attribute.getValue());
        }
        return bytes;
    }

    private static int utf8Length(String text) {
        return text.getBytes(UTF_8).length;
    }

    /** Empty if it is no UTF-8, or if something in it might not arrive as it is; so it is with carriage returns in XML. */
    private static Optional<String> plainText(byte[] bytes) {
        if (bytes.length == 0) {
            return Optional.empty();
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.codePoints().allMatch(Wire::isPlain) ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException binary) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(int character) {
        return character == '\t'
                || character == '\n'
                || (character >= 0x20 && character <= 0xD7FF)
                || (character >= 0xE000 && character <= 0xFFFD)
                || character >= 0x10000;
    }

    /** What a queue brought. */
    static Wire received(software.amazon.awssdk.services.sqs.model.Message message) {
        Map<String, String> attributes = new HashMap<>();
        message.messageAttributes().forEach((name, value) -> {
            if (value.stringValue() != null) {
                attributes.put(name, value.stringValue());
            }
        });
        return received(message.body(), attributes);
    }

    /** The same, raw or as a notification of SNS around it. */
    static Wire received(String body, Map<String, String> attributes) {
        if (attributes.containsKey(EVENT) || attributes.containsKey(EventMessage.ID) || !body.startsWith("{")) {
            return new Wire(body, attributes);
        }
        return unwrapped(body).orElseGet(() -> new Wire(body, attributes));
    }

    private static Optional<Wire> unwrapped(String body) {
        @Nullable JsonNode json = read(body);
        if (json == null
                || !"Notification".equals(json.path("Type").asText())
                || !json.path("TopicArn").isTextual()
                || !json.path("Message").isTextual()) {
            return Optional.empty();
        }
        Map<String, String> attributes = new HashMap<>();
        json.path("MessageAttributes").properties().forEach(attribute -> {
            JsonNode value = attribute.getValue().path("Value");
            if (value.isTextual()) {
                attributes.put(attribute.getKey(), value.textValue());
            }
        });
        return Optional.of(new Wire(json.path("Message").textValue(), attributes));
    }

    private static @Nullable JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException other) {
            return null;
        }
    }

    /** Headers and bytes. Without an id in the headers if something is wrong with it, so that it is no event. */
    Message message() {
        Map<String, String> headers = new HashMap<>(attributes);
        headers.remove(EVENT);
        headers.remove(ENCODING);
        headers.remove(DEAD);
        boolean sound = addTogether(headers);
        byte[] bytes = text.getBytes(UTF_8);
        String encoding = attributes.getOrDefault(ENCODING, "");
        if (encoding.equals(EMPTY)) {
            bytes = new byte[0];
        } else if (encoding.equals(BASE64)) {
            try {
                bytes = Base64.getDecoder().decode(text);
            } catch (IllegalArgumentException damaged) {
                sound = false;
            }
        }
        if (!sound) {
            headers.remove(EventMessage.ID);
        }
        return new Message(headers, bytes);
    }

    private boolean addTogether(Map<String, String> headers) {
        String together = attributes.get(EVENT);
        if (together == null) {
            return true;
        }
        @Nullable JsonNode json = read(together);
        if (json == null || !json.isObject()) {
            return false;
        }
        json.properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().asText()));
        return true;
    }
}
