package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.event.InvalidEventException.Fault;
import dev.posthorn.event.StorableText;
import dev.posthorn.event.UnstorableTextException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of the outbox that a producer fills, in the order in which every emit statement takes them. */
final class EventColumns {

    /** One column: how it is bound for one event, and for many. */
    private record Column(One one, Many many) {}

    private interface One {
        void bind(Parameters parameters, Event event) throws SQLException;
    }

    private interface Many {
        void bind(Parameters parameters, List<Event> events) throws SQLException;
    }

    private static final List<Column> COLUMNS = List.of(
            new Column(
                    (bind, event) -> bind.value(event.id()), (bind, events) -> bind.column("uuid", events, Event::id)),
            text("domain", Event::domain),
            text("type", Event::type),
            text("key", event -> event.key().orElse(null)),
            number(Event::sequence),
            text("aggregateType", event -> event.aggregateType().orElse(null)),
            text("aggregateId", event -> event.aggregateId().orElse(null)),
            text("tenant", event -> event.tenant().orElse(null)),
            text("correlationId", event -> event.correlationId().orElse(null)),
            text("causationId", event -> event.causationId().orElse(null)),
            text("traceparent", event -> event.traceparent().orElse(null)),
            text("headers", event -> HeadersJson.write("header", event.headers())),
            text("contentType", Event::contentType),
            new Column(
                    (bind, event) -> bind.value(event.payloadBytes()),
                    (bind, events) -> bind.bytes(events, Event::payloadBytes)),
            time(event -> Optional.of(event.occurredAt())),
            time(Event::deliverAfter),
            number(event -> event.stamp() == 0 ? OptionalLong.empty() : OptionalLong.of(event.stamp())));

    private EventColumns() {}

    /** Binds one event, a parameter for each column. */
    static void bindOne(Parameters parameters, Event event) throws SQLException {
        for (Column column : COLUMNS) {
            column.one().bind(parameters, event);
        }
    }

    /** Binds any number of events, an array for each column. */
    static void bindMany(Parameters parameters, List<Event> events) throws SQLException {
        for (Column column : COLUMNS) {
            column.many().bind(parameters, events);
        }
    }

    /** The producer hears which of many events cannot be stored, and why. */
    private static Column text(String field, Function<Event, @Nullable String> value) {
        Function<Event, @Nullable String> checked = event -> {
            try {
                @Nullable String text = value.apply(event);
                return text == null ? null : StorableText.value(field, text);
            } catch (UnstorableTextException refused) {
                throw new InvalidEventException(
                        event.id().toString(), List.of(new Fault(refused.field(), refused.why())));
            }
        };
        return new Column(
                (bind, event) -> bind.text(field, checked.apply(event)),
                (bind, events) -> bind.texts(field, events, checked));
    }

    private static Column number(Function<Event, OptionalLong> value) {
        return new Column(
                (bind, event) -> bind.number(value.apply(event)),
                (bind, events) -> bind.column("int8", events, event -> {
                    OptionalLong number = value.apply(event);
                    return number.isPresent() ? number.getAsLong() : null;
                }));
    }

    private static Column time(Function<Event, Optional<Instant>> value) {
        return new Column(
                (bind, event) -> bind.time(value.apply(event)),
                (bind, events) -> bind.column(
                        "timestamptz",
                        events,
                        event -> value.apply(event)
                                .map(instant -> instant.atOffset(ZoneOffset.UTC))
                                .orElse(null)));
    }
}
