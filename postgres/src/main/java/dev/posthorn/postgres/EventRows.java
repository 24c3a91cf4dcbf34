package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import dev.posthorn.relay.LogEvent;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the columns of {@code event_columns.sql}, which begin after two others. */
final class EventRows {

    /** Payloads above this stay in the database until they are published: they would make a page's memory unbounded. */
    static final int INLINE_BYTES = 16_384;

    private static final byte[] NONE = {};
    private static final int ALMOST_ANY = Integer.MAX_VALUE - 1;
    private static final int FIRST = 3;
    private static final int HEADERS = FIRST + 12;
    private static final int SIZE_OR_STAMP = FIRST + 17;
    private static final int PAYLOAD = SIZE_OR_STAMP + 1;
    private static final long YEAR_2000 = 946_684_800L;

    /** The first column behind those of the event. */
    static final int AFTER = PAYLOAD + 1;

    /** Up to how many bytes each part of a row is read. */
    private record Cut(int payload, int headers, int name, int tenant, int text) {

        /** A tenant may be what a route wants, so that it is whole if it keeps the limit of 1,000 characters. */
        static final Cut TO_A_PAGE = new Cut(INLINE_BYTES, 2_000, 200, 4_000, 400);

        static final Cut NOTHING = new Cut(Integer.MAX_VALUE, Integer.MAX_VALUE, ALMOST_ANY, ALMOST_ANY, ALMOST_ANY);

        String of(String columns) {
            return columns.replace("{inline}", Integer.toString(payload))
                    .replace("{headers}", Integer.toString(headers))
                    .replace("{cuts}", Boolean.toString(headers < Integer.MAX_VALUE))
                    .replace("{name}", Integer.toString(name))
                    .replace("{tenant}", Integer.toString(tenant))
                    .replace("{text}", Integer.toString(text));
        }

        boolean isIn(EventFields event) {
            EventFields.Labels labels = event.labels();
            return event.domain().length() > name
                    || event.type().length() > name
                    || event.body().contentType().length() > text
                    || isLonger(labels.tenant(), tenant / 4)
                    || isLonger(labels.correlationId(), text)
                    || isLonger(labels.causationId(), text)
                    || isLonger(labels.traceparent(), text)
                    || isLonger(labels.aggregateType(), text)
                    || isLonger(labels.aggregateId(), text);
        }

        private static boolean isLonger(@Nullable String value, int most) {
            return value != null && value.length() > most;
        }
    }

    private EventRows() {}

    /** The same for a route that does not want everything. */
    static String withEvent(String sql, Schema schema, short route) {
        String wanted = Sql.fragment("wanted", schema).replace("{route}", Short.toString(route));
        return withEvent(
                sql.replace("{fresh}", Sql.fragment("fresh_wanted", schema)).replace("{wanted}", wanted), schema);
    }

    /** The statement with the event's columns filled in. */
    static String withEvent(String sql, Schema schema) {
        String columns = Sql.fragment("event_columns", schema);
        return sql.replace("{fresh}", Sql.fragment("fresh", schema))
                .replace("{wanted}", "true")
                .replace("{event}", Cut.TO_A_PAGE.of(columns))
                .replace("{whole_event}", Cut.NOTHING.of(columns))
                .replace("{no_event}", Sql.fragment("no_event", schema).replace("{plain_plans}", PlainPlans.IN_FORCE));
    }

    /** The heading row's snapshot. */
    static String snapshot(ResultSet row) throws SQLException {
        return row.getString(FIRST + 2);
    }

    /** The heading row's incarnation. */
    static String incarnation(ResultSet row) throws SQLException {
        return row.getString(FIRST + 3);
    }

    /** Whether the heading row was read with {@link PlainPlans}. */
    static boolean hasPlainPlans(ResultSet row) throws SQLException {
        return row.getLong(FIRST) == 1;
    }

    /**
     * What most rows of a page have in common with the one before, so that their events share it: less to hold, and its hash
     * is known. Of one page; not thread-safe.
     */
    static final class Shared {

        private String domain = "";
        private String type = "";
        private String contentType = "";

        private String domain(String read) {
            domain = same(read, domain);
            return domain;
        }

        private String type(String read) {
            type = same(read, type);
            return type;
        }

        private String contentType(String read) {
            contentType = same(read, contentType);
            return contentType;
        }

        private static String same(String read, String before) {
            return read.equals(before) ? before : read;
        }
    }

    static LogEvent read(ResultSet row, int lane) throws SQLException {
        return read(row, lane, new Shared());
    }

    /** A whole event, however large it is. */
    static Event readWhole(ResultSet row) throws SQLException {
        byte @Nullable [] payload = row.getBytes(PAYLOAD);
        @Nullable String headers = row.getString(HEADERS);
        return Event.restored(fields(row, payload == null ? NONE : payload, headers, new Shared()));
    }

    static LogEvent read(ResultSet row, int lane, Shared shared) throws SQLException {
        byte @Nullable [] payload = row.getBytes(PAYLOAD);
        long delayMicros = row.getLong(FIRST + 16);
        @Nullable Duration delay = row.wasNull() ? null : Duration.ofNanos(delayMicros * 1_000);
        @Nullable String headers = row.getString(HEADERS);
        EventFields fields = fields(row, payload == null ? NONE : payload, headers, shared);
        int omitted = payload == null ? row.getInt(SIZE_OR_STAMP) : 0;
        boolean cut = HeadersJson.isCut(headers) || Cut.TO_A_PAGE.isIn(fields);
        return new LogEvent(
                lane, row.getLong(FIRST), Event.restored(fields), delay, cut ? LogEvent.UNMEASURED : omitted);
    }

    private static EventFields fields(ResultSet row, byte[] payload, @Nullable String headers, Shared shared)
            throws SQLException {
        long sequence = row.getLong(FIRST + 5);
        @Nullable Long sequenceOrNull = row.wasNull() ? null : sequence;
        return new EventFields(
                row.getObject(FIRST + 1, UUID.class),
                shared.domain(row.getString(FIRST + 2)),
                shared.type(row.getString(FIRST + 3)),
                row.getString(FIRST + 4),
                sequenceOrNull,
                labels(row),
                body(row, payload, headers, shared));
    }

    private static EventFields.Labels labels(ResultSet row) throws SQLException {
        @Nullable String aggregateType = row.getString(FIRST + 6);
        @Nullable String aggregateId = row.getString(FIRST + 7);
        @Nullable String tenant = row.getString(FIRST + 8);
        @Nullable String correlationId = row.getString(FIRST + 9);
        @Nullable String causationId = row.getString(FIRST + 10);
        @Nullable String traceparent = row.getString(FIRST + 11);
        boolean none = aggregateType == null
                && aggregateId == null
                && tenant == null
                && correlationId == null
                && causationId == null
                && traceparent == null;
        return none
                ? EventFields.Labels.NONE
                : new EventFields.Labels(aggregateType, aggregateId, tenant, correlationId, causationId, traceparent);
    }

    private static EventFields.Body body(ResultSet row, byte[] payload, @Nullable String headers, Shared shared)
            throws SQLException {
        byte @Nullable [] deliverAfter = row.getBytes(FIRST + 15);
        long sizeOrStamp = row.getLong(SIZE_OR_STAMP);
        return new EventFields.Body(
                HeadersJson.read(headers),
                shared.contentType(row.getString(FIRST + 13)),
                payload,
                instant(row.getBytes(FIRST + 14)),
                deliverAfter == null ? null : instant(deliverAfter),
                payload == NONE || sizeOrStamp == payload.length ? 0 : sizeOrStamp);
    }

    /** A time as Postgres sends it: microseconds since the year 2000. */
    static Instant instant(byte[] sent) {
        long micros = ByteBuffer.wrap(sent).getLong();
        return Instant.ofEpochSecond(
                YEAR_2000 + Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000);
    }
}
