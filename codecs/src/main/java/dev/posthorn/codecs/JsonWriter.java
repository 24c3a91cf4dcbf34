package dev.posthorn.codecs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object, field by field, with nothing between. */
final class JsonWriter {

    private static final int HEAD = 400;
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final ByteArrayOutputStream bytes;
    private boolean first = true;

    JsonWriter(int payload) {
        bytes = new ByteArrayOutputStream(payload + HEAD);
        bytes.write('{');
    }

    void name(String name) {
        if (!first) {
            bytes.write(',');
        }
        first = false;
        bytes.writeBytes(JsonText.quoted(name));
        bytes.write(':');
    }

    void raw(byte[] json) {
        bytes.writeBytes(json);
    }

    /** A text, or null. */
    void field(String name, @Nullable String value) {
        name(name);
        bytes.writeBytes(value == null ? NULL : JsonText.quoted(value));
    }

    void open(String name) {
        name(name);
        bytes.write('{');
        first = true;
    }

    void close() {
        bytes.write('}');
        first = false;
    }

    /** Puts the fields back that {@link JsonReader#unknown} found under this pointer, but none of the envelope's own. */
    void unknown(Map<String, String> headers, String pointer, Set<String> own) {
        new TreeMap<>(headers).forEach((header, json) -> {
            if (!header.startsWith(pointer + "/") || header.indexOf('/', pointer.length() + 1) >= 0) {
                return;
            }
            String name = JsonReader.unescaped(header.substring(pointer.length() + 1));
            byte[] text = json.getBytes(StandardCharsets.UTF_8);
            if (!own.contains(name) && JsonText.isJson(text)) {
                name(name);
                raw(text);
            }
        });
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
