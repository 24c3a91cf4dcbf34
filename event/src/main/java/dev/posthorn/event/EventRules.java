package dev.posthorn.event;

import dev.posthorn.event.InvalidEventException.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What makes an event valid. The outbox table's constraints keep from producers that do not use this class what no relay
 * could read or no index could hold; the rest is only checked here.
 */
final class EventRules {

    static final int MAX_NAME = 200;
    static final int MAX_TEXT = 1_000;
    static final int MAX_HEADERS = 100;
    static final int MAX_HEADER_CHARS = 32_768;
    static final int ADDED_HEADERS = 4;
    static final int ADDED_HEADER_CHARS = 1_024;

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant TOO_LATE = Instant.parse("+10000-01-01T00:00:00Z");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]*");
    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}.*");

    private final List<Fault> faults = new ArrayList<>();

    private EventRules() {}

    /** What a producer may emit. */
    static void check(EventFields event) {
        check(event, MAX_HEADERS, MAX_HEADER_CHARS);
    }

    /** What may come in: a replay adds a header to an event that may have had all it could. */
    static void checkReceived(EventFields event) {
        check(event, MAX_HEADERS + ADDED_HEADERS, MAX_HEADER_CHARS + ADDED_HEADER_CHARS);
    }

    private static void check(EventFields event, int mostHeaders, int mostHeaderChars) {
        EventRules rules = new EventRules();
        rules.name("domain", event.domain());
        rules.name("type", event.type());
        rules.indexed("key", event.key());
        EventFields.Labels labels = event.labels();
        rules.indexed("aggregateType", labels.aggregateType());
        rules.indexed("aggregateId", labels.aggregateId());
        rules.text("tenant", labels.tenant());
        rules.text("correlationId", labels.correlationId());
        rules.text("causationId", labels.causationId());
        rules.traceparent(labels.traceparent());
        rules.text("contentType", event.body().contentType());
        rules.headers(event, mostHeaders, mostHeaderChars);
        rules.time("occurredAt", event.body().occurredAt());
        rules.time("deliverAfter", event.body().deliverAfter());
        if (!rules.faults.isEmpty()) {
            throw new InvalidEventException(
                    event.id() + " (" + event.domain() + "/" + event.type() + ")", rules.faults);
        }
    }

    private void name(String field, String value) {
        if (value.length() > MAX_NAME || !NAME.matcher(value).matches()) {
            fault(
                    field,
                    "must be 1 to " + MAX_NAME
                            + " letters, digits or . _ : / - and begin with a letter or digit, but is "
                            + quoted(value));
        }
    }

    private void text(String field, @Nullable String value) {
        if (value == null) {
            return;
        }
        if (value.isEmpty() || value.length() > MAX_TEXT) {
            fault(field, "must have 1 to " + MAX_TEXT + " characters, but has " + value.length());
        }
        if (isUnstorable(value)) {
            fault(field, "must not contain NUL characters or unpaired surrogates");
        }
    }

    /** Part of an index, whose entries are limited in bytes. */
    private void indexed(String field, @Nullable String value) {
        text(field, value);
        if (value != null && value.length() <= MAX_TEXT) {
            int bytes = value.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_TEXT) {
                fault(field, "must have at most " + MAX_TEXT + " bytes in UTF-8, but has " + bytes);
            }
        }
    }

    private void traceparent(@Nullable String value) {
        if (value != null
                && (value.length() > MAX_NAME || !TRACEPARENT.matcher(value).matches())) {
            fault("traceparent", "must look like 00-<32 hex>-<16 hex>-<2 hex>, but is " + quoted(value));
        }
    }

    private void headers(EventFields event, int most, int mostCharacters) {
        int characters = 0;
        for (var header : event.body().headers().entrySet()) {
            characters += header.getKey().length() + header.getValue().length();
            if (header.getKey().isEmpty() || isUnstorable(header.getKey()) || isUnstorable(header.getValue())) {
                fault(
                        "header " + quoted(header.getKey()),
                        "must have a name and no NUL characters or unpaired surrogates");
            }
        }
        if (event.body().headers().size() > most || characters > mostCharacters) {
            fault("headers", "must be at most " + most + " and " + mostCharacters + " characters in all");
        }
    }

    private void time(String field, @Nullable Instant value) {
        if (value != null && (value.isBefore(EARLIEST) || !value.isBefore(TOO_LATE))) {
            fault(field, "must be in the years 1 to 9999, but is " + value);
        }
    }

    private void fault(String field, String why) {
        faults.add(new Fault(field, why));
    }

    private static boolean isUnstorable(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == 0) {
                return true;
            }
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return true;
            }
        }
        return false;
    }

    private static String quoted(String value) {
        return '"' + (value.length() > 60 ? value.substring(0, 60) + "…" : value) + '"';
    }
}
