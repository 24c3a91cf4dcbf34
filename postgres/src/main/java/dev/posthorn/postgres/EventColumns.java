package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of the outbox that a producer fills, in the order in which every emit statement takes them. */
final class EventColumns {

    /** One column: its SQL type, the type code for a single value, and where the value comes from. */
    private record Column(String sqlType, int typeCode, Function<Event, @Nullable Object> value) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("uuid", Types.OTHER, Event::id),
            text(Event::domain),
            text(Event::type),
            text(event -> event.key().orElse(null)),
            new Column(
                    "int8",
                    Types.BIGINT,
                    event -> event.sequence().isPresent() ? event.sequence().getAsLong() : null),
            text(event -> event.aggregateType().orElse(null)),
            text(event -> event.aggregateId().orElse(null)),
            text(event -> event.tenant().orElse(null)),
            text(event -> event.correlationId().orElse(null)),
            text(event -> event.causationId().orElse(null)),
            text(event -> event.traceparent().orElse(null)),
            text(event -> HeadersJson.write(event.headers())),
            text(Event::contentType),
            new Column("bytea", Types.BINARY, Event::payloadBytes),
            time(Event::occurredAt),
            time(event -> event.deliverAfter().orElse(null)),
            new Column("int8", Types.BIGINT, event -> event.stamp() == 0 ? null : event.stamp()));

    private EventColumns() {}

    /** Binds one event, a parameter for each column, and returns the next free parameter. */
    static int bindOne(PreparedStatement statement, int first, Event event) throws SQLException {
        int parameter = first;
        for (Column column : COLUMNS) {
            statement.setObject(parameter++, column.value().apply(event), column.typeCode());
        }
        return parameter;
    }

    /** Binds any number of events, an array for each column, and returns the next free parameter. */
    static int bindMany(PreparedStatement statement, int first, List<Event> events) throws SQLException {
        Connection connection = statement.getConnection();
        int parameter = first;
        for (Column column : COLUMNS) {
            statement.setArray(parameter++, connection.createArrayOf(column.sqlType(), values(column, events)));
        }
        return parameter;
    }

    private static Object[] values(Column column, List<Event> events) {
        Object[] values = column.typeCode() == Types.BINARY ? new byte[events.size()][] : new Object[events.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.value().apply(events.get(i));
        }
        return values;
    }

    private static Column text(Function<Event, @Nullable Object> value) {
        return new Column("text", Types.VARCHAR, value);
    }

    private static Column time(Function<Event, @Nullable Instant> value) {
        return new Column("timestamptz", Types.TIMESTAMP_WITH_TIMEZONE, event -> {
            Instant instant = value.apply(event);
            return instant == null ? null : OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
        });
    }
}
