package dev.posthorn.codecs;

import dev.posthorn.codecs.JsonText.Field;
import dev.posthorn.transport.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes fields out of a JSON object, and knows which are left. A fault names the field by its JSON pointer and the place.
 */
final class JsonReader {

    private final byte[] bytes;
    private final JsonText text;
    private final Map<String, Field> fields;
    private final String pointer;

    JsonReader(byte[] bytes) {
        this.bytes = bytes;
        this.text = JsonText.of(bytes);
        this.fields = text.fields();
        this.pointer = "";
    }

    private JsonReader(JsonReader outer, Map<String, Field> fields, String pointer) {
        this.bytes = outer.bytes;
        this.text = outer.text;
        this.fields = fields;
        this.pointer = pointer;
    }

    Map<String, Field> fields() {
        return fields;
    }

    JsonReader without(String name) {
        Map<String, Field> others = new LinkedHashMap<>(fields);
        others.remove(name);
        return new JsonReader(this, others, pointer);
    }

    /** Takes the object of that name; one without fields if there is none. */
    JsonReader object(String name) {
        Field field = fields.remove(name);
        String inner = pointer + "/" + name;
        return new JsonReader(
                this, field == null || text.isNull(field) ? new LinkedHashMap<>() : text.fields(field, inner), inner);
    }

    /** Takes a text; null if there is none. */
    @Nullable
    String text(String name) {
        Field field = fields.remove(name);
        if (field == null || text.isNull(field)) {
            return null;
        }
        if (!text.isString(field)) {
            throw JsonScanner.fault(bytes, field.start(), "the field " + pointer + "/" + name + " is no text");
        }
        return text.string(field);
    }

    /** Takes a text that must be there. */
    String required(String name) {
        int end = fields.values().stream().mapToInt(Field::end).max().orElse(bytes.length);
        String value = text(name);
        if (value == null) {
            throw JsonScanner.fault(bytes, end, "the field " + pointer + "/" + name + " is missing");
        }
        return value;
    }

    /** Takes an id that must be there. */
    UUID id(String name) {
        int place = start(name);
        String value = required(name);
        try {
            return uuid(value);
        } catch (IllegalArgumentException none) {
            throw JsonScanner.fault(bytes, place, "the field " + pointer + "/" + name + " is no UUID");
        }
    }

    /** {@link UUID#fromString} takes shorter ones too, which then are others. */
    static UUID uuid(String text) {
        UUID id = UUID.fromString(text);
        if (!id.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException(text);
        }
        return id;
    }

    /** Takes a time that must be there, to the microsecond. */
    Instant time(String name) {
        int place = start(name);
        String value = required(name);
        try {
            return instant(value);
        } catch (DateTimeException none) {
            throw JsonScanner.fault(
                    bytes, place, "the field " + pointer + "/" + name + " is no time such as 2026-03-01T09:30:00Z");
        }
    }

    static Instant instant(String text) {
        return OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MICROS);
    }

    private int start(String name) {
        Field field = fields.get(name);
        return field == null ? 0 : field.start();
    }

    /** The first that is left, or null. */
    @Nullable
    String firstName() {
        return fields.isEmpty() ? null : fields.keySet().iterator().next();
    }

    /** A text, which is not taken; null if it is none. */
    @Nullable
    String peek(String name) {
        Field field = fields.get(name);
        return field == null || !text.isString(field) ? null : text.string(field);
    }

    /** As its bytes stand there, or null. */
    @Nullable
    String raw(String name) {
        Field field = fields.get(name);
        return field == null
                ? null
                : new String(bytes, field.start(), field.end() - field.start(), StandardCharsets.UTF_8);
    }

    void drop(String name) {
        fields.remove(name);
    }

    UndecodableException fault(String name, String reason) {
        return JsonScanner.fault(bytes, start(name), "the field " + pointer + "/" + name + " " + reason);
    }

    /** What nobody took, by JSON pointer, as it stands there. */
    Map<String, String> unknown() {
        Map<String, String> found = new HashMap<>();
        fields.keySet().forEach(name -> found.put(pointer + "/" + escaped(name), String.valueOf(raw(name))));
        return found;
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    static String unescaped(String token) {
        return token.replace("~1", "/").replace("~0", "~");
    }
}
