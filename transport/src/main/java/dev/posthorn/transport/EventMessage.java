package dev.posthorn.transport;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.event.PosthornException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How an event travels as a {@link Message}: what is known about it in headers, the payload untouched as the body.
 *
 * <p>What comes back equals what went in, and nothing that a broker or another program adds to the headers becomes part
 * of the event: {@value #HEADERS} lists those that are its own. They travel under their own names, except where a broker
 * could take one for its own.
 */
public final class EventMessage {

    public static final String ID = "posthorn-id";
    public static final String DOMAIN = "posthorn-domain";
    public static final String TYPE = "posthorn-type";
    public static final String KEY = "posthorn-key";
    public static final String SEQUENCE = "posthorn-sequence";
    public static final String AGGREGATE_TYPE = "posthorn-aggregate-type";
    public static final String AGGREGATE_ID = "posthorn-aggregate-id";
    public static final String TENANT = "posthorn-tenant";
    public static final String CORRELATION_ID = "posthorn-correlation-id";
    public static final String CAUSATION_ID = "posthorn-causation-id";
    public static final String OCCURRED_AT = "posthorn-occurred-at";
    public static final String DELIVER_AFTER = "posthorn-deliver-after";
    public static final String HEADERS = "posthorn-headers";
    public static final String CONTENT_TYPE = "content-type";
    public static final String TRACEPARENT = "traceparent";

    private static final String OWN = "posthorn-h-";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final Set<String> TAKEN = Set.of(CONTENT_TYPE, TRACEPARENT, "cc", "bcc");

    private EventMessage() {}

    /** The event as a message; its body is a copy of the payload. */
    public static Message of(Event event) {
        return new Message(headersOf(event), event.payloadBytes());
    }

    /**
     * Throws {@link PosthornException} with the reason to refuse the event if {@link #read} would not take it from a message.
     *
     * <p>Every transport asks this before it sends. An event that comes from a store may have been written by another program,
     * and a text that UTF-8 cannot encode would arrive changed or damage the events that are sent together with it.
     */
    public static void requireReadable(Event event) {
        try {
            event.requireReceivable();
        } catch (InvalidEventException invalid) {
            throw new PosthornException("it is not a valid event: " + faultsOf(invalid), invalid);
        }
    }

    private static String faultsOf(InvalidEventException invalid) {
        return invalid.faults().stream()
                .map(fault -> fault.field() + " " + fault.why())
                .collect(Collectors.joining("; "));
    }

    /** The headers alone, for transports that bring the payload over without a copy. */
    public static Map<String, String> headersOf(Event event) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(ID, event.id().toString());
        headers.put(DOMAIN, event.domain());
        headers.put(TYPE, event.type());
        event.key().ifPresent(value -> headers.put(KEY, value));
        event.sequence().ifPresent(value -> headers.put(SEQUENCE, Long.toString(value)));
        event.aggregateType().ifPresent(value -> headers.put(AGGREGATE_TYPE, value));
        event.aggregateId().ifPresent(value -> headers.put(AGGREGATE_ID, value));
        event.tenant().ifPresent(value -> headers.put(TENANT, value));
        event.correlationId().ifPresent(value -> headers.put(CORRELATION_ID, value));
        event.causationId().ifPresent(value -> headers.put(CAUSATION_ID, value));
        event.traceparent().ifPresent(value -> headers.put(TRACEPARENT, value));
        headers.put(CONTENT_TYPE, event.contentType());
        headers.put(OCCURRED_AT, event.occurredAt().toString());
        event.deliverAfter().ifPresent(value -> headers.put(DELIVER_AFTER, value.toString()));
        if (!event.headers().isEmpty()) {
            putOwn(event.headers(), headers);
        }
        return headers;
    }

    private static void putOwn(Map<String, String> own, Map<String, String> headers) {
        Set<String> plain = new TreeSet<>();
        own.forEach((name, value) -> {
            if (isPlain(name)) {
                plain.add(name);
                headers.put(name, value);
            } else {
                headers.put(OWN + name, value);
            }
        });
        if (!plain.isEmpty()) {
            headers.put(HEADERS, String.join(",", plain));
        }
    }

    private static boolean isPlain(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return PLAIN.matcher(name).matches()
                && !lower.startsWith("posthorn-")
                && !lower.startsWith("x-")
                && !TAKEN.contains(lower);
    }

    /** The event of a message; throws {@link UndecodableException} if it is none. */
    public static Event read(Message message) {
        Map<String, String> headers = message.headers();
        try {
            return Event.received(new EventFields(
                    UUID.fromString(required(headers, ID)),
                    required(headers, DOMAIN),
                    required(headers, TYPE),
                    headers.get(KEY),
                    number(headers.get(SEQUENCE)),
                    new EventFields.Labels(
                            headers.get(AGGREGATE_TYPE),
                            headers.get(AGGREGATE_ID),
                            headers.get(TENANT),
                            headers.get(CORRELATION_ID),
                            headers.get(CAUSATION_ID),
                            headers.get(TRACEPARENT)),
                    new EventFields.Body(
                            ownOf(headers),
                            required(headers, CONTENT_TYPE),
                            message.body(),
                            Instant.parse(required(headers, OCCURRED_AT)),
                            time(headers.get(DELIVER_AFTER)))));
        } catch (InvalidEventException invalid) {
            throw new UndecodableException("it is not a valid event: " + faultsOf(invalid));
        } catch (IllegalArgumentException | DateTimeParseException malformed) {
            throw new UndecodableException("a header is malformed: " + malformed.getMessage());
        }
    }

    private static Map<String, String> ownOf(Map<String, String> headers) {
        Map<String, String> own = new HashMap<>();
        @Nullable String plain = headers.get(HEADERS);
        if (plain != null) {
            for (String name : plain.split(",", -1)) {
                own.put(name, required(headers, name));
            }
        }
        headers.forEach((name, value) -> {
            if (name.startsWith(OWN)) {
                own.put(name.substring(OWN.length()), value);
            }
        });
        return Map.copyOf(own);
    }

    private static String required(Map<String, String> headers, String name) {
        String value = headers.get(name);
        if (value == null) {
            throw new UndecodableException("the header " + name + " is missing");
        }
        return value;
    }

    private static @Nullable Long number(@Nullable String value) {
        return value == null ? null : Long.valueOf(value);
    }

    private static @Nullable Instant time(@Nullable String value) {
        return value == null ? null : Instant.parse(value);
    }
}
