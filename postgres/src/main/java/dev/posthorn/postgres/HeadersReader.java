package dev.posthorn.postgres;

import java.util.HashMap;
import java.util.Map;

/**
 * Reads an object as Postgres writes a jsonb: each name once, {@code ": "} and {@code ", "} between, never any other space
 * outside strings. A value that is no string is its own text, and null is empty, as {@code jsonb_each_text} has them.
 *
 * <p>For one object; not thread-safe.
 */
final class HeadersReader {

    private static final int HEX = 16;

    private final String json;
    private int at = 1;

    HeadersReader(String json) {
        this.json = json;
    }

    Map<String, String> read() {
        if (json.charAt(at) == '}') {
            return Map.of();
        }
        String name = string();
        at += 2;
        String value = value();
        if (json.charAt(at) == '}') { // mostly there is one
            return Map.of(name, value);
        }
        Map<String, String> headers = new HashMap<>();
        headers.put(name, value);
        while (json.charAt(at) == ',') {
            at += 2;
            name = string();
            at += 2;
            headers.put(name, value());
        }
        return Map.copyOf(headers);
    }

    private String value() {
        if (json.charAt(at) == '"') {
            return string();
        }
        int from = at;
        int depth = 0;
        while (depth > 0 || (json.charAt(at) != ',' && json.charAt(at) != '}')) {
            switch (json.charAt(at)) {
                case '"' -> {
                    string();
                    continue;
                }
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
            at++;
        }
        String text = json.substring(from, at);
        return text.equals("null") ? "" : text;
    }

    /** From one quote to behind the next. */
    private String string() {
        int from = ++at;
        while (json.charAt(at) != '"') {
            if (json.charAt(at) == '\\') {
                return unescaped(new StringBuilder().append(json, from, at));
            }
            at++;
        }
        return json.substring(from, at++);
    }

    private String unescaped(StringBuilder text) {
        while (json.charAt(at) != '"') {
            char c = json.charAt(at++);
            text.append(c == '\\' ? escaped() : c);
        }
        at++;
        return text.toString();
    }

    private char escaped() {
        char c = json.charAt(at++);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(json, at - 4, at, HEX);
            }
            default -> c;
        };
    }
}
