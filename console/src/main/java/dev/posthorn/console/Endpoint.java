package dev.posthorn.console;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be asked for.
 *
 * @param path with names in braces
 * @param right what the caller must be allowed to; null: nothing, and nobody need say who it is
 */
record Endpoint(String method, String path, @Nullable Right right, Manual manual, Handler handler) {

    /** The answer of an endpoint that sends bytes as they are, in pieces. */
    static final String DOWNLOAD = "bytes";

    /** Answers a call. */
    @FunctionalInterface
    interface Handler {
        Answer answer(Call call) throws Exception;
    }

    /**
     * What is told about it.
     *
     * @param summary in a sentence
     * @param query the parameters it knows
     * @param body the schema of what is sent; empty for nothing
     * @param answer the schema of the answer
     */
    record Manual(String summary, List<String> query, String body, String answer) {

        static Manual of(String summary, String answer, String... query) {
            return new Manual(summary, List.of(query), "", answer);
        }

        Manual taking(String schema) {
            return new Manual(summary, query, schema, answer);
        }
    }

    static Endpoint get(String path, @Nullable Right right, Manual manual, Handler handler) {
        return new Endpoint("GET", path, right, manual, handler);
    }

    static Endpoint post(String path, Right right, Manual manual, Handler handler) {
        return new Endpoint("POST", path, right, manual, handler);
    }

    boolean isChange() {
        return method.equals("POST");
    }

    /** The names in its path. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (String part : path.split("/", -1)) {
            if (part.startsWith("{")) {
                names.add(part.substring(1, part.length() - 1));
            }
        }
        return names;
    }

    /** What stands in place of its names, if the path is this one's. An encoded slash is part of a name. */
    Optional<Map<String, String>> match(String asked) {
        String[] own = path.split("/", -1);
        String[] parts = asked.split("/", -1);
        if (own.length != parts.length) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < own.length; i++) {
            if (own[i].startsWith("{") && !parts[i].isEmpty()) {
                variables.put(own[i].substring(1, own[i].length() - 1), Call.decoded(parts[i].replace("+", "%2B")));
            } else if (!own[i].equals(parts[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(variables);
    }
}
