package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The columns of an event as the baselines read them, and the event made of them.
 *
 * <p>In the cheapest form we know, which is also the relay's: whatever makes reading cheaper there belongs here too, or
 * the comparison flatters us. Times go out as the eight bytes they are.
 */
final class EventColumns {

    static final String LIST = "id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id,"
            + " causation_id, traceparent,"
            + " headers,"
            + " content_type, timestamptz_send(occurred_at) AS occurred_at,"
            + " timestamptz_send(deliver_after) AS deliver_after, payload";

    private static final long YEAR_2000 = 946_684_800L;

    private EventColumns() {}

    /** The event whose columns begin after {@code before} others. */
    static Event read(ResultSet row, int before) throws SQLException {
        long sequence = row.getLong(before + 5);
        @Nullable Long sequenceOrNull = row.wasNull() ? null : sequence;
        byte @Nullable [] deliverAfter = row.getBytes(before + 15);
        return Event.restored(new EventFields(
                row.getObject(before + 1, UUID.class),
                row.getString(before + 2),
                row.getString(before + 3),
                row.getString(before + 4),
                sequenceOrNull,
                labels(row, before),
                new EventFields.Body(
                        headers(row.getString(before + 12)),
                        row.getString(before + 13),
                        row.getBytes(before + 16),
                        instant(row.getBytes(before + 14)),
                        deliverAfter == null ? null : instant(deliverAfter))));
    }

    private static EventFields.Labels labels(ResultSet row, int before) throws SQLException {
        return new EventFields.Labels(
                row.getString(before + 6),
                row.getString(before + 7),
                row.getString(before + 8),
                row.getString(before + 9),
                row.getString(before + 10),
                row.getString(before + 11));
    }

    /** The events of the baselines have none. */
    private static Map<String, String> headers(@Nullable String json) {
        if (json == null) {
            return Map.of();
        }
        throw new IllegalStateException("The baselines read no headers, but there are " + json);
    }

    /** Postgres counts microseconds since the year 2000. */
    private static Instant instant(byte[] sent) {
        long micros = ByteBuffer.wrap(sent).getLong();
        return Instant.ofEpochSecond(
                YEAR_2000 + Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000);
    }
}
