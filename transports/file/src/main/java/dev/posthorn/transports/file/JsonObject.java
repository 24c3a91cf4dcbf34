package dev.posthorn.transports.file;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one flat JSON object (RFC 8259) on one line. Absent values are left out. Not thread-safe. */
final class JsonObject {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final StringBuilder out;
    private String separator = "{";

    JsonObject(StringBuilder out) {
        this.out = out;
    }

    JsonObject text(String name, @Nullable String value) {
        if (value != null) {
            name(name);
            quote(value);
        }
        return this;
    }

    JsonObject number(String name, @Nullable Long value) {
        if (value != null) {
            name(name);
            out.append(value.longValue());
        }
        return this;
    }

    JsonObject object(String name, Map<String, String> members) {
        name(name);
        JsonObject object = new JsonObject(out);
        members.forEach(object::text);
        object.end();
        return this;
    }

    void end() {
        out.append(separator.equals("{") ? "{}" : "}");
    }

    private void name(String name) {
        out.append(separator);
        separator = ",";
        quote(name);
        out.append(':');
    }

    private void quote(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (needsEscape(c)) {
                escape(c);
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

    private void escape(char c) {
        out.append("\\u")
                .append(HEX[c >> 12])
                .append(HEX[c >> 8 & 0xF])
                .append(HEX[c >> 4 & 0xF])
                .append(HEX[c & 0xF]);
    }
}
