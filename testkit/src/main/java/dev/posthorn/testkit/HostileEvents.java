package dev.posthorn.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.event.EventFields;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.testkit.HostileValues.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Events with a {@linkplain HostileValues hostile value} in one field, for each field that has a text. */
public final class HostileEvents {

    /** The type of them all. */
    public static final String TYPE = "Hostile";

    private static final int LONGEST_NAME = 200;
    private static final int MOST_HEADERS = 100;
    private static final int MOST_HEADER_CHARACTERS = 32_768;

    /**
     * An event and what is hostile about it.
     *
     * @param field the hostile field, by a word that an error about it contains
     */
    public record Case(String field, String what, Event event) {

        @Override
        public String toString() {
            return field + ": " + what;
        }
    }

    /** A field that can be set to a text, by its name in the Java builder. */
    public record Field(String name, BiConsumer<EventBuilder, String> setter) {}

    private HostileEvents() {}

    /** The fields of an event that take nearly any text. */
    public static List<Field> fields() {
        return List.of(
                new Field("key", EventBuilder::key),
                new Field("aggregateType", (event, value) -> event.aggregate(value, "1")),
                new Field("aggregateId", (event, value) -> event.aggregate("order", value)),
                new Field("tenant", EventBuilder::tenant),
                new Field("correlationId", EventBuilder::correlationId),
                new Field("causationId", EventBuilder::causationId),
                new Field("contentType", (event, value) -> event.payload(value.getBytes(UTF_8), value)),
                new Field("header", (event, value) -> event.header(value, "named")),
                new Field("header", (event, value) -> event.header("valued", value)));
    }

    /** Events that can be emitted: {@link Event#of} builds each. */
    public static List<Case> valid(String domain) {
        List<Case> cases = new ArrayList<>();
        for (Field field : fields()) {
            for (Text text : HostileValues.odd()) {
                EventBuilder event = Event.of(domain, TYPE);
                field.setter().accept(event, text.value());
                cases.add(new Case(field.name(), text.what(), event.build()));
            }
        }
        HostileValues.payloads()
                .forEach(payload -> cases.add(new Case(
                        "payload",
                        payload.what(),
                        Event.of(domain, TYPE)
                                .payload(payload.bytes(), payload.contentType())
                                .build())));
        cases.addAll(extremes(domain));
        return cases;
    }

    private static List<Case> extremes(String domain) {
        List<Case> cases = new ArrayList<>();
        for (String type : List.of("0", "a:b/c.d_e-f", "a/../b", "a..b", "t".repeat(LONGEST_NAME))) {
            cases.add(new Case("type", type, Event.of(domain, type).build()));
        }
        for (String name : List.of(
                "posthorn-id",
                "posthorn-headers",
                "posthorn-h-x",
                "Posthorn-Key",
                "x-event-id",
                "event_id",
                "content-type",
                "Content-Type",
                "traceparent",
                "CC",
                "googclient",
                "posthorn-payload",
                "posthorn-more",
                "posthorn-event",
                "posthorn-encoding")) {
            cases.add(new Case(
                    "header",
                    name,
                    Event.of(domain, TYPE).header(name, "forged").build()));
        }
        cases.add(new Case(
                "header", "empty value", Event.of(domain, TYPE).header("h", "").build()));
        cases.add(new Case(
                "header",
                "as many as allowed",
                Event.of(domain, TYPE)
                        .headers(IntStream.range(0, MOST_HEADERS)
                                .boxed()
                                .collect(Collectors.toMap(i -> "h" + i, i -> "v" + i)))
                        .build()));
        cases.add(new Case(
                "header",
                "as long as allowed",
                Event.of(domain, TYPE)
                        .header("h", "\u20AC".repeat(MOST_HEADER_CHARACTERS - 1))
                        .build()));
        for (Instant time :
                List.of(Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("9999-12-31T23:59:59.999999Z"))) {
            cases.add(new Case(
                    "occurredAt",
                    time.toString(),
                    Event.of(domain, TYPE).occurredAt(time).build()));
        }
        for (long sequence : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
            cases.add(new Case(
                    "sequence",
                    Long.toString(sequence),
                    Event.of(domain, TYPE).sequence(sequence).build()));
        }
        String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        cases.add(new Case(
                "traceparent",
                "as long as allowed",
                Event.of(domain, TYPE)
                        .traceparent(trace + "-" + "~ ".repeat(72))
                        .build()));
        return cases;
    }

    /**
     * Events that cannot be emitted, as a store may bring them that an older version or another program wrote: {@link
     * Event#restored} checks nothing.
     */
    public static List<Case> invalid(String domain) {
        List<Text> texts = new ArrayList<>(HostileValues.unstorable());
        texts.addAll(HostileValues.misfits());
        texts.add(HostileValues.large(1));
        List<Case> cases = new ArrayList<>();
        for (Text text : texts) {
            for (String field : List.of(
                    "domain",
                    "type",
                    "key",
                    "aggregateType",
                    "aggregateId",
                    "tenant",
                    "correlationId",
                    "causationId",
                    "traceparent",
                    "contentType")) {
                cases.add(new Case(field, text.what(), restored(domain, Map.of(field, text.value()), Map.of())));
            }
        }
        HostileValues.unstorable().forEach(text -> {
            cases.add(new Case("header", text.what(), restored(domain, Map.of(), Map.of("h", text.value()))));
            cases.add(new Case("header", text + " in a name", restored(domain, Map.of(), Map.of(text.value(), "v"))));
        });
        cases.add(new Case("header", "no name", restored(domain, Map.of(), Map.of("", "v"))));
        cases.add(new Case(
                "header",
                "1 MB",
                restored(domain, Map.of(), Map.of("h", HostileValues.large(1).value()))));
        cases.removeIf(one -> isValid(one.event())); // some fields take more than others
        return cases;
    }

    private static boolean isValid(Event event) {
        try {
            event.requireReceivable();
            return true;
        } catch (InvalidEventException expected) {
            return false;
        }
    }

    private static Event restored(String domain, Map<String, String> fields, Map<String, String> headers) {
        Event plain = Event.of(domain, TYPE).build();
        return Event.restored(new EventFields(
                plain.id(),
                fields.getOrDefault("domain", domain),
                fields.getOrDefault("type", TYPE),
                fields.get("key"),
                null,
                new EventFields.Labels(
                        fields.get("aggregateType"),
                        fields.get("aggregateId"),
                        fields.get("tenant"),
                        fields.get("correlationId"),
                        fields.get("causationId"),
                        fields.get("traceparent")),
                new EventFields.Body(
                        headers,
                        fields.getOrDefault("contentType", "text/plain"),
                        new byte[] {1},
                        plain.occurredAt(),
                        null)));
    }

    /** Such cases with ordinary events of other keys between them, one before each case. */
    public static List<Event> amongOrdinary(List<Case> cases, List<Event> ordinary) {
        List<Event> mixed = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            mixed.add(ordinary.get(i));
            mixed.add(cases.get(i).event());
        }
        return mixed;
    }
}
