package dev.posthorn.postgres;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Headers as a JSON object, so that this module needs no JSON library for a map of strings. */
final class HeadersJson {

    private HeadersJson() {}

    /** The object, names in order; null for no headers, which the column keeps as NULL. */
    static @Nullable String write(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringBuilder json = new StringBuilder();
        char separator = '{';
        for (Map.Entry<String, String> header : new TreeMap<>(headers).entrySet()) {
            json.append(separator);
            string(json, header.getKey());
            json.append(':');
            string(json, header.getValue());
            separator = ',';
        }
        return json.append('}').toString();
    }

    /** Whether a page has left them out: instead of an object there is a text. */
    static boolean isCut(@Nullable String json) {
        return json != null && json.charAt(0) == '"';
    }

    /** What the column's text says, or none. */
    static Map<String, String> read(@Nullable String json) {
        return json == null || isCut(json) ? Map.of() : new HeadersReader(json).read();
    }

    /** RFC 8259: quote, backslash and control characters must be escaped; everything else may stand as it is. */
    private static void string(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
