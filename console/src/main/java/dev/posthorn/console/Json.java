package dev.posthorn.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code --json} prints is built and written here. */
public final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static <T> ArrayNode array(Collection<T> items, Function<T, ObjectNode> toJson) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        items.forEach(item -> array.add(toJson.apply(item)));
        return array;
    }

    public static ArrayNode strings(Collection<String> items) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        items.forEach(array::add);
        return array;
    }

    /** An object of texts by name. */
    public static ObjectNode texts(Map<String, String> map) {
        ObjectNode node = object();
        map.forEach(node::put);
        return node;
    }

    /** A time as ISO 8601, or null. */
    public static @Nullable String time(Optional<Instant> time) {
        return time.map(Instant::toString).orElse(null);
    }

    /** A time that is yet to come, or null: an attempt that is due is made as soon as its route goes on. */
    public static @Nullable String future(Optional<Instant> time) {
        return time(time.filter(Instant.now()::isBefore));
    }

    public static String line(ObjectNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A text of an object, if it is one and has it. */
    public static Optional<String> text(String json, String name) {
        try {
            return Optional.ofNullable(MAPPER.readTree(json).path(name).textValue());
        } catch (JsonProcessingException none) {
            return Optional.empty();
        }
    }

    public static boolean isValid(byte[] text) {
        try {
            return MAPPER.readTree(text) != null && text.length > 0;
        } catch (java.io.IOException invalid) {
            return false;
        }
    }

    /** An object, if these bytes are one. */
    public static Optional<ObjectNode> parse(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (java.io.IOException invalid) {
            return Optional.empty();
        }
    }
}
