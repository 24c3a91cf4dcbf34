package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The columns of an event as the baselines read them, in the cheapest form we know, and the event made of them. */
final class EventColumns {

    static final String LIST = "id, domain, type, key, sequence, aggregate_type, aggregate_id, tenant, correlation_id,"
            + " causation_id, traceparent,"
            + " CASE WHEN headers IS NOT NULL"
            + " THEN ARRAY(SELECT unnest(ARRAY[h.key, h.value]) FROM jsonb_each_text(headers) AS h) END AS headers,"
            + " content_type, (date_part('epoch', occurred_at) * 1000000)::bigint AS occurred_us, payload";

    private EventColumns() {}

    /** The event whose columns begin after {@code before} others. */
    static Event read(ResultSet row, int before) throws SQLException {
        long sequence = row.getLong(before + 5);
        @Nullable Long sequenceOrNull = row.wasNull() ? null : sequence;
        return Event.restored(new EventFields(
                row.getObject(before + 1, UUID.class),
                row.getString(before + 2),
                row.getString(before + 3),
                row.getString(before + 4),
                sequenceOrNull,
                labels(row, before),
                new EventFields.Body(
                        headers(row.getArray(before + 12)),
                        row.getString(before + 13),
                        row.getBytes(before + 15),
                        instant(row.getLong(before + 14)),
                        null)));
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

    private static Map<String, String> headers(@Nullable Array array) throws SQLException {
        if (array == null) {
            return Map.of();
        }
        String[] pairs = (String[]) array.getArray();
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i + 1 < pairs.length; i += 2) {
            headers.put(pairs[i], pairs[i + 1]);
        }
        return Map.copyOf(headers);
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000);
    }
}
