package dev.posthorn.postgres;

import dev.posthorn.event.StorableText;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Headers as a JSON object, so that this module needs no JSON library for a map of strings. */
final class HeadersJson {

    private HeadersJson() {}

    /**
     * The object, names in order; null for no headers, which the column keeps as NULL. Refuses what jsonb cannot hold: it is
     * hidden in the text by its escape, so the gate would not see it there.
     */
    static @Nullable String write(String field, Map<String, String> headers) {
        headers.forEach((name, value) -> {
            StorableText.value("name of " + field, name);
            StorableText.value(field + " " + name, value);
        });
        return headers.isEmpty() ? null : object(headers);
    }

    /** The object with everything that can be stored of it, for what must be kept whatever it is. */
    static String evidence(Map<String, String> map) {
        Map<String, String> clean = new TreeMap<>();
        map.forEach((name, value) -> clean.put(StorableText.evidence(name), StorableText.evidence(value)));
        return clean.isEmpty() ? "{}" : object(clean);
    }

    private static String object(Map<String, String> headers) {
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
