package dev.posthorn.examples.poker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.io.IOException;

/** Payloads of the game. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static String text(ObjectNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static JsonNode of(Event event) {
        try {
            return MAPPER.readTree(event.payloadBytes());
        } catch (IOException noJson) {
            throw new PosthornException("The payload of " + event + " is no JSON.", noJson);
        }
    }

    static String field(JsonNode node, String name) {
        JsonNode found = node.path(name);
        if (found.isMissingNode()) {
            throw new PosthornException("The payload has no " + name + ".");
        }
        return found.asText();
    }
}
