package dev.posthorn.event;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON object (RFC 8259) on one line, for modules that need no JSON library for a few fields.
 *
 * <p>Absent values are left out. Text survives every reader: unpaired surrogates are escaped, and so are the line ends of
 * Unicode. Not thread-safe.
 */
public final class JsonObject {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final StringBuilder out;
    private String separator = "{";

    /** Writes to the end of this text. */
    public JsonObject(StringBuilder out) {
        this.out = out;
    }

    public JsonObject() {
        this(new StringBuilder());
    }

    /** An object of texts, in the order of the map. */
    public static String of(Map<String, String> texts) {
        return new JsonObject().texts(texts).end().toString();
    }

    /** A JSON string for this text, in quotes. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2);
        quote(quoted, text);
        return quoted.toString();
    }

    public JsonObject text(String name, @Nullable String value) {
        if (value != null) {
            name(name);
            quote(out, value);
        }
        return this;
    }

    public JsonObject number(String name, @Nullable Long value) {
        return json(name, value == null ? null : value.toString());
    }

    public JsonObject object(String name, Map<String, String> texts) {
        name(name);
        new JsonObject(out).texts(texts).end();
        return this;
    }

    /** A value that is JSON already. */
    public JsonObject json(String name, @Nullable String value) {
        if (value != null) {
            name(name);
            out.append(value);
        }
        return this;
    }

    /** Ends the object; the answer is all that was written. */
    public CharSequence end() {
        return out.append(separator.equals("{") ? "{}" : "}");
    }

    private JsonObject texts(Map<String, String> texts) {
        texts.forEach(this::text);
        return this;
    }

    private void name(String name) {
        out.append(separator);
        separator = ",";
        quote(out, name);
        out.append(':');
    }

    private static void quote(StringBuilder out, String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (needsEscape(c)) {
                escape(out, c);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /**
     * Control characters must be escaped. Surrogates are too, so that an unpaired one survives, and the three further
     * line ends of Unicode, so that no reader sees two lines.
     */
    private static boolean needsEscape(char c) {
        return c < 0x20 || Character.isSurrogate(c) || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    private static void escape(StringBuilder out, char c) {
        out.append("\\u")
                .append(HEX[c >> 12])
                .append(HEX[c >> 8 & 0xF])
                .append(HEX[c >> 4 & 0xF])
                .append(HEX[c & 0xF]);
    }
}
