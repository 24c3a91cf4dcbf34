package dev.posthorn.console;

import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A request, whatever server took it.
 *
 * @param path as it was sent, nothing decoded
 * @param query as it was sent, without the question mark; empty if there is none
 * @param headers the first of each name; names are looked up whatever their case
 * @param body read only if it is wanted, and only as far as the limit
 */
public record Request(String method, String path, String query, Map<String, String> headers, InputStream body) {

    public Request {
        Map<String, String> lower = new TreeMap<>();
        headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        headers = Map.copyOf(lower);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    /** A HEAD is a GET whose body nobody sends. */
    boolean isRead() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
