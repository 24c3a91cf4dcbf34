package dev.posthorn.transports.googlepubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An event's headers as a message's attributes, of which Pub/Sub takes 100, with names of 256 bytes that do not begin with
 * goog, and values of 1,024 bytes.
 *
 * <p>Every message has {@value #EVENT_ID}, {@value #EVENT_TYPE}, {@value #AGGREGATE_TYPE}, {@value #AGGREGATE_ID} and {@value
 * #CREATED_AT} for readers that know nothing of Posthorn. What can be no attribute travels in {@code posthorn-more-0} and so
 * on, as one text of names and values in the form of a URL's query, cut into pieces; {@value #MORE} says into how many.
 */
final class Attributes {

    static final String EVENT_ID = "event_id";
    static final String EVENT_TYPE = "event_type";
    static final String AGGREGATE_TYPE = "aggregate_type";
    static final String AGGREGATE_ID = "aggregate_id";
    static final String CREATED_AT = "created_at";
    static final String MORE = "posthorn-more";

    private static final int MOST = 100;
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_VALUE = 1_024;
    private static final Set<String> FIVE = Set.of(EVENT_ID, EVENT_TYPE, AGGREGATE_TYPE, AGGREGATE_ID, CREATED_AT);

    private Attributes() {}

    /** Throws {@link PosthornException} if there is no way to carry them. */
    static Map<String, String> of(Event event) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(EVENT_ID, event.id().toString());
        attributes.put(EVENT_TYPE, event.type());
        attributes.put(AGGREGATE_TYPE, event.aggregateType().orElseGet(event::domain));
        attributes.put(
                AGGREGATE_ID,
                event.aggregateId().or(event::key).orElseGet(() -> event.id().toString()));
        attributes.put(CREATED_AT, event.occurredAt().toString());
        return with(attributes, EventMessage.headersOf(event), FIVE);
    }

    /** All that came with a message, and about its death. Of a hundred long ones some may not fit: these are left out. */
    static Map<String, String> ofDeadLetter(Map<String, String> original, Map<String, String> about) {
        Map<String, String> attributes = new LinkedHashMap<>();
        about.forEach((name, value) -> attributes.put(name, shortened(value)));
        try {
            return with(attributes, original, Set.of());
        } catch (PosthornException tooMuch) {
            original.entrySet().stream()
                    .filter(one -> !isImpossible(one.getKey(), one.getValue()))
                    .limit(MOST - attributes.size())
                    .forEach(one -> attributes.put(one.getKey(), one.getValue()));
            return attributes;
        }
    }

    /** Adds headers as attributes, as far as they can be and there is room; the others together. */
    private static Map<String, String> with(
            Map<String, String> reserved, Map<String, String> headers, Set<String> taken) {
        Map<String, String> attributes = new LinkedHashMap<>(reserved);
        Map<String, String> more = new LinkedHashMap<>();
        headers.forEach((name, value) -> {
            if (taken.contains(name) || isImpossible(name, value)) {
                more.put(name, value);
            } else {
                attributes.put(name, value);
            }
        });
        Iterator<String> movable = headers.keySet().stream()
                .filter(name -> !name.startsWith("posthorn-") && !more.containsKey(name))
                .sorted(Comparator.comparingInt(
                        name -> name.length() + headers.getOrDefault(name, "").length()))
                .iterator();
        while (attributes.size() + pieces(more) > MOST && movable.hasNext()) {
            String name = movable.next();
            more.put(name, headers.getOrDefault(name, ""));
            attributes.remove(name);
        }
        if (attributes.size() + pieces(more) > MOST) {
            throw new PosthornException("its headers are too much for Pub/Sub, which takes " + MOST + " attributes of "
                    + LONGEST_VALUE + " bytes; there would be " + (attributes.size() + pieces(more)));
        }
        pack(more, attributes);
        return attributes;
    }

    private static boolean isImpossible(String name, String value) {
        return name.isEmpty()
                || name.toLowerCase(Locale.ROOT).startsWith("goog")
                || name.getBytes(UTF_8).length > LONGEST_NAME
                || value.getBytes(UTF_8).length > LONGEST_VALUE;
    }

    /** How many attributes it takes to carry these. */
    private static int pieces(Map<String, String> more) {
        return more.isEmpty() ? 0 : 1 + (text(more).length() + LONGEST_VALUE - 1) / LONGEST_VALUE;
    }

    private static String text(Map<String, String> more) {
        return more.entrySet().stream()
                .map(one -> URLEncoder.encode(one.getKey(), UTF_8) + "=" + URLEncoder.encode(one.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static void pack(Map<String, String> more, Map<String, String> attributes) {
        if (more.isEmpty()) {
            return;
        }
        String text = text(more);
        int pieces = 0;
        for (int from = 0; from < text.length(); from += LONGEST_VALUE) {
            attributes.put(MORE + "-" + pieces++, text.substring(from, Math.min(text.length(), from + LONGEST_VALUE)));
        }
        attributes.put(MORE, Integer.toString(pieces));
    }

    /** The headers that a message's attributes stand for; without an id if pieces are missing or wrong. */
    static Map<String, String> headers(Map<String, String> attributes) {
        if (!attributes.containsKey(MORE)) {
            return attributes;
        }
        Map<String, String> headers = new LinkedHashMap<>(attributes);
        try {
            StringBuilder text = new StringBuilder();
            int pieces = Integer.parseInt(String.valueOf(headers.remove(MORE)));
            for (int i = 0; i < pieces && i < MOST; i++) {
                text.append(Objects.requireNonNull(headers.remove(MORE + "-" + i)));
            }
            for (String pair : text.toString().split("&", -1)) {
                int middle = pair.indexOf('=');
                headers.put(
                        URLDecoder.decode(pair.substring(0, middle), UTF_8),
                        URLDecoder.decode(pair.substring(middle + 1), UTF_8));
            }
        } catch (RuntimeException malformed) { // anybody can have written it; it is undecodable, as it came
            headers.remove(EventMessage.ID);
        }
        return headers;
    }

    private static String shortened(String value) {
        String cut = value;
        while (cut.getBytes(UTF_8).length > LONGEST_VALUE) {
            cut = cut.substring(0, Math.max(1, Math.min(cut.length() - 1, LONGEST_VALUE)));
        }
        return cut;
    }
}
