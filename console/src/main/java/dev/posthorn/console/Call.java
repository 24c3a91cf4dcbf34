package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request that was let in.
 *
 * @param variables what stands in the path for its names
 * @param query decoded
 * @param body what was sent along; empty if nothing was
 */
record Call(
        Optional<Caller> caller, Map<String, String> variables, Map<String, String> query, ObjectNode body, Sent sent) {

    /**
     * What makes a repetition of it one.
     *
     * @param target its path with its query
     * @param key its idempotency key
     */
    record Sent(String target, Optional<String> key) {}

    static final int MOST = 500;

    /** The parameters of a query; of one that is given twice the last. */
    static Map<String, String> parse(String query) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                found.put(decoded(part.substring(0, equals)), decoded(part.substring(equals + 1)));
            }
        }
        return found;
    }

    /** Of a part of a path or of a query. */
    static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException invalid) {
            throw Refusal.invalid("\"" + text + "\" is not encoded as a URL is: " + invalid.getMessage());
        }
    }

    Wish wish() {
        return new Wish(body);
    }

    boolean may(Right right) {
        return caller.filter(one -> one.may(right)).isPresent();
    }

    /** How much is shown to it, if others than admins see so much. */
    Disclosure disclosure(Disclosure toOthers) {
        return may(Right.ADMIN) ? Disclosure.WHOLE : toOthers;
    }

    /** Of one who had to say who it is. */
    Caller who() {
        return caller.orElseThrow(() -> new IllegalStateException("this is answered to callers only"));
    }

    String variable(String name) {
        return Optional.ofNullable(variables.get(name))
                .orElseThrow(() -> new IllegalStateException("the path has no " + name));
    }

    UUID id(String name) {
        return uuid(name, variable(name));
    }

    static UUID uuid(String name, String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException invalid) {
            throw Refusal.invalid("\"" + text + "\" is no " + name + ", which is a UUID.");
        }
    }

    /** Null and empty are alike: not asked for. */
    @Nullable
    String wish(String name) {
        String value = query.get(name);
        return value == null || value.isBlank() ? null : value;
    }

    long number(String name, long standard, long least, long most) {
        String text = wish(name);
        if (text == null) {
            return standard;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException none) {
            throw Refusal.invalid(name + " is \"" + text + "\", which is no number.");
        }
        throw Refusal.invalid(name + " is " + text + ", but must be " + least + " to " + most + ".");
    }

    /** How many at once. */
    int limit(int standard) {
        return (int) number("limit", standard, 1, MOST);
    }

    static Instant time(String name, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException invalid) {
            throw Refusal.invalid(name + " is \"" + text + "\", which is no time. Write it as 2026-03-01T00:00:00Z.");
        }
    }
}
