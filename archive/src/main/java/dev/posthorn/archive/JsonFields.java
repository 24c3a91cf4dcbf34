package dev.posthorn.archive;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of one JSON object: texts as they are, everything else as it is written, null as an empty text.
 *
 * <p>What is inside of inner objects and lists is not looked at. Names that come twice have their last value.
 */
final class JsonFields {

    private static final int HEXADECIMAL = 16;
    private static final int CODE = 4;

    private final String json;
    private int at;

    private JsonFields(String json) {
        this.json = json;
    }

    /**
     * @throws IllegalArgumentException if this is not an object
     */
    static Map<String, String> of(String json) {
        try {
            return new JsonFields(json).object();
        } catch (StringIndexOutOfBoundsException | NumberFormatException ended) {
            throw new IllegalArgumentException("not an object of JSON", ended);
        }
    }

    private Map<String, String> object() {
        Map<String, String> fields = new LinkedHashMap<>();
        expect('{');
        if (peek() == '}') {
            at++;
        } else {
            do {
                String name = text();
                expect(':');
                fields.put(name, value());
            } while (more());
        }
        skipSpace();
        if (at < json.length()) {
            throw new IllegalArgumentException("something follows the object of JSON");
        }
        return fields;
    }

    private boolean more() {
        char next = peek();
        at++;
        if (next != ',' && next != '}') {
            throw new IllegalArgumentException("a field of JSON is followed by " + next);
        }
        return next == ',';
    }

    private String value() {
        if (peek() == '"') {
            return text();
        }
        int start = at;
        int depth = 0;
        for (char c = json.charAt(at); depth > 0 || (c != ',' && c != '}' && c != ']'); c = json.charAt(at)) {
            if (c == '"') {
                text();
                continue;
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            at++;
        }
        String raw = json.substring(start, at).strip();
        return raw.equals("null") ? "" : raw;
    }

    private String text() {
        expect('"');
        int plain = at;
        for (char c = json.charAt(at); c != '"' && c != '\\'; c = json.charAt(at)) {
            at++;
        }
        if (json.charAt(at) == '"') {
            return json.substring(plain, at++);
        }
        StringBuilder text = new StringBuilder(json.substring(plain, at));
        for (char c = json.charAt(at++); c != '"'; c = json.charAt(at++)) {
            text.append(c == '\\' ? escaped(json.charAt(at++)) : c);
        }
        return text.toString();
    }

    private char escaped(char c) {
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                at += CODE;
                yield (char) Integer.parseInt(json.substring(at - CODE, at), HEXADECIMAL);
            }
            default -> c;
        };
    }

    private char peek() {
        skipSpace();
        return json.charAt(at);
    }

    private void skipSpace() {
        while (at < json.length() && json.charAt(at) <= ' ') {
            at++;
        }
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw new IllegalArgumentException("there is no " + wanted + " at " + at + " in the JSON");
        }
        at++;
    }
}
