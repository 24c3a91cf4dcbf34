package dev.posthorn.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * What single events of the log carry.
 *
 * <p>Changes nothing. Needs the rights of an {@link RoleKind#OPERATOR}. Thread-safe.
 */
public final class PostgresEventContent {

    /**
     * All but the payload.
     *
     * @param sequence the aggregate's own version
     */
    public record Envelope(
            String contentType,
            long payloadSize,
            Times times,
            OptionalLong sequence,
            Links links,
            Map<String, String> headers) {}

    /** When it happened, when it was emitted, and when it may be published. */
    public record Times(Instant occurredAt, Instant createdAt, Optional<Instant> deliverAfter) {}

    /** What it belongs to. */
    public record Links(Optional<String> correlationId, Optional<String> causationId, Optional<String> traceparent) {}

    /**
     * A payload.
     *
     * @param beginning all of it, unless it is longer than was asked for
     */
    @SuppressWarnings("ArrayRecordComponent") // read once to be shown; never compared
    public record Payload(String contentType, long size, byte[] beginning) {}

    private final Looks looks;

    public PostgresEventContent(DataSource database, Schema schema) {
        this.looks = new Looks(database, schema);
    }

    /** Empty if it is not in the log. */
    public Optional<Envelope> envelope(UUID event) {
        return looks.query("event_envelope", bind -> bind.value(event), PostgresEventContent::envelope).stream()
                .findFirst();
    }

    private static Envelope envelope(ResultSet row) throws SQLException {
        long sequence = row.getLong("sequence");
        OptionalLong own = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(sequence);
        return new Envelope(
                row.getString("content_type"),
                row.getLong("payload_size"),
                new Times(
                        Looks.time(row, "occurred_at"),
                        Looks.time(row, "created_at"),
                        Looks.optionalTime(row, "deliver_after")),
                own,
                new Links(
                        Looks.text(row, "correlation_id"),
                        Looks.text(row, "causation_id"),
                        Looks.text(row, "traceparent")),
                Looks.map(row, "headers"));
    }

    /** Returns the whole payload of an event, to be read in parts. */
    public LargeBytes whole(UUID event) {
        return new LargeBytes(looks, "event_payload_part", event);
    }

    /** No more than so many bytes of it. Empty if the event is not in the log. */
    public Optional<Payload> payload(UUID event, int most) {
        return looks
                .query(
                        "event_payload",
                        bind -> bind.value(most).value(event),
                        row -> new Payload(
                                row.getString("content_type"), row.getLong("payload_size"), row.getBytes("beginning")))
                .stream()
                .findFirst();
    }
}
