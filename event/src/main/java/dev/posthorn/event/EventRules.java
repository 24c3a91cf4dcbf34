package dev.posthorn.event;

import dev.posthorn.event.InvalidEventException.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a valid event. The outbox table refuses what breaks them with the same sentences, for producers that do not
 * use this class. Characters are counted as code points, as Postgres does.
 */
final class EventRules {

    static final int MAX_NAME = 200;
    static final int MAX_TEXT = 1_000;
    static final int MAX_HEADERS = 100;
    static final int MAX_HEADER_CHARS = 32_768;
    static final int ADDED_HEADERS = 4;
    static final int ADDED_HEADER_CHARS = 1_024;

    private static final String MISSING = "must not be null";
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant TOO_LATE = Instant.parse("+10000-01-01T00:00:00Z");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]*");
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}[ -~]*");

    private static final int QUOTED = 60;

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
        rules.required("contentType", event.body().contentType());
        rules.text("contentType", event.body().contentType());
        rules.required("payload", event.body().payload());
        rules.headers(event, mostHeaders, mostHeaderChars);
        rules.required("occurredAt", event.body().occurredAt());
        rules.time("occurredAt", event.body().occurredAt());
        rules.time("deliverAfter", event.body().deliverAfter());
        if (!rules.faults.isEmpty()) {
            throw new InvalidEventException(
                    event.id() + " (" + start(event.domain(), MAX_NAME) + "/" + start(event.type(), MAX_NAME) + ")",
                    rules.faults);
        }
    }

    private void name(String field, @Nullable String value) {
        if (value == null) {
            fault(field, MISSING);
        } else if (value.length() > MAX_NAME || !NAME.matcher(value).matches()) {
            fault(
                    field,
                    "must be 1 to " + MAX_NAME
                            + " letters, digits or . _ : / - and begin with a letter or digit, but is "
                            + quoted(value));
        }
    }

    private void required(String field, @Nullable Object value) {
        if (value == null) {
            fault(field, MISSING);
        }
    }

    private void text(String field, @Nullable String value) {
        if (value == null) {
            return;
        }
        int characters = characters(value);
        if (characters < 1 || characters > MAX_TEXT) {
            fault(field, "must have 1 to " + MAX_TEXT + " characters, but has " + characters);
        }
        if (!StorableText.isStorable(value)) {
            fault(field, "must not contain NUL characters or unpaired surrogates");
        }
    }

    /** Part of an index, whose entries are limited in bytes. */
    private void indexed(String field, @Nullable String value) {
        text(field, value);
        if (value != null && characters(value) <= MAX_TEXT) {
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
        long characters = 0;
        for (var header : event.body().headers().entrySet()) {
            characters += characters(header.getKey()) + characters(header.getValue());
            if (header.getKey().isEmpty()
                    || !StorableText.isStorable(header.getKey())
                    || !StorableText.isStorable(header.getValue())) {
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

    private static int characters(String value) {
        return value.codePointCount(0, value.length());
    }

    private static String quoted(String value) {
        String start = start(value, QUOTED);
        return '"' + start + (start.length() < value.length() ? "…" : "") + '"';
    }

    private static String start(@Nullable String value, int most) {
        String text = String.valueOf(value);
        return characters(text) <= most ? text : text.substring(0, text.offsetByCodePoints(0, most));
    }
}
