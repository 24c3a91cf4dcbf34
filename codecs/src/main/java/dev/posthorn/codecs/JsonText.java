package dev.posthorn.codecs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.posthorn.transport.UndecodableException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bytes of a JSON text (RFC 8259, in UTF-8), and where in them the fields of an object are.
 *
 * <p>By places and not by values, so that what is inside an envelope comes out byte for byte: no parser that makes values
 * gives numbers and spaces back as they were. Strict: what this accepts can stand within another text.
 */
final class JsonText {

    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Where a field's value is.
     *
     * @param after the place behind the colon
     * @param start the first byte of the value
     * @param end the place behind its last byte
     */
    record Field(int after, int start, int end) {}

    private final byte[] bytes;

    private JsonText(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Throws {@link UndecodableException} with the place of the first fault. */
    static void check(byte[] bytes) {
        new JsonScanner(bytes, 0, bytes.length, JsonScanner.NOBODY).whole();
    }

    static boolean isJson(byte[] bytes) {
        try {
            check(bytes);
            return true;
        } catch (UndecodableException none) {
            return false;
        }
    }

    /** The text, checked as a whole when its fields are asked for. */
    static JsonText of(byte[] bytes) {
        return new JsonText(bytes);
    }

    /** The fields of the object that the whole text must be. */
    Map<String, Field> fields() {
        return fields(0, bytes.length, "");
    }

    /** The fields of the object that this value must be. */
    Map<String, Field> fields(Field object, String pointer) {
        return fields(object.start(), object.end(), pointer);
    }

    private Map<String, Field> fields(int from, int to, String pointer) {
        Map<String, Field> found = new LinkedHashMap<>();
        JsonScanner scanner = new JsonScanner(bytes, from, to, (name, field) -> {
            String text = string(name);
            if (found.put(text, field) != null) {
                throw JsonScanner.fault(bytes, name.start(), "the field " + pointer + "/" + text + " is there twice");
            }
        });
        scanner.whole();
        if (!scanner.isObject()) {
            throw JsonScanner.fault(bytes, from, (pointer.isEmpty() ? "it" : pointer) + " is no JSON object");
        }
        return found;
    }

    boolean isString(Field field) {
        return bytes[field.start()] == '"';
    }

    boolean isNull(Field field) {
        return bytes[field.start()] == 'n';
    }

    /** The text that a JSON string stands for. */
    String string(Field field) {
        try (JsonParser parser = JSON.createParser(bytes, field.start(), field.end() - field.start())) {
            parser.nextToken();
            return parser.getText();
        } catch (IOException tooLong) {
            throw JsonScanner.fault(bytes, field.start(), String.valueOf(tooLong.getMessage()));
        }
    }

    /** A JSON string for this text, in quotes. */
    static byte[] quoted(String text) {
        byte[] inner = JsonStringEncoder.getInstance().quoteAsUTF8(text);
        byte[] quoted = new byte[inner.length + 2];
        quoted[0] = '"';
        System.arraycopy(inner, 0, quoted, 1, inner.length);
        quoted[quoted.length - 1] = '"';
        return quoted;
    }
}
