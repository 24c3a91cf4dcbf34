package dev.posthorn.server;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a command wants from an API, by path and query; nothing in it is encoded yet. */
record Ask(String path, Map<String, String> query) {

    Ask {
        query = Map.copyOf(query);
    }

    /** Parts of the path, each one segment after the version. */
    static Ask of(String... parts) {
        StringBuilder path = new StringBuilder("/v1");
        for (String part : parts) {
            path.append('/').append(encoded(part));
        }
        return new Ask(path.toString(), Map.of());
    }

    /** The same with a parameter, unless it is null. */
    Ask with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, String> more = new LinkedHashMap<>(query);
        more.put(name, value.toString());
        return new Ask(path, more);
    }

    /** As it is asked for. */
    String text() {
        return query.isEmpty()
                ? path
                : path + "?"
                        + query.entrySet().stream()
                                .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
                                .sorted()
                                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
