package dev.posthorn.postgres;

import dev.posthorn.event.JsonObject;
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
        return headers.isEmpty() ? null : JsonObject.of(new TreeMap<>(headers));
    }

    /** The object with everything that can be stored of it, for what must be kept whatever it is. */
    static String evidence(Map<String, String> map) {
        Map<String, String> clean = new TreeMap<>();
        map.forEach((name, value) -> clean.put(StorableText.evidence(name), StorableText.evidence(value)));
        return JsonObject.of(clean);
    }

    /** Whether a page has left them out: instead of an object there is a text. */
    static boolean isCut(@Nullable String json) {
        return json != null && json.charAt(0) == '"';
    }

    /** What the column's text says, or none. */
    static Map<String, String> read(@Nullable String json) {
        return json == null || isCut(json) ? Map.of() : new HeadersReader(json).read();
    }
}
