package dev.posthorn.postgres;

/**
 * How an outbox writes.
 *
 * @param schema where the log is
 * @param maxPayloadBytes the largest payload taken, 1 byte to 64 MiB, by default 1 MiB. Too low, and events are refused
 *     that the broker would take; too high, and events are emitted that it never takes, which then fail on the route.
 */
public record PostgresOutboxConfig(Schema schema, int maxPayloadBytes) {

    /** What the table itself takes. */
    public static final int MOST_PAYLOAD_BYTES = 64 * 1024 * 1024;

    public static final PostgresOutboxConfig DEFAULT = new PostgresOutboxConfig(Schema.DEFAULT, 1024 * 1024);

    public PostgresOutboxConfig {
        if (maxPayloadBytes < 1 || maxPayloadBytes > MOST_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "maxPayloadBytes is " + maxPayloadBytes + ", but must be 1 to " + MOST_PAYLOAD_BYTES);
        }
    }

    public PostgresOutboxConfig withSchema(Schema schema) {
        return new PostgresOutboxConfig(schema, maxPayloadBytes);
    }

    public PostgresOutboxConfig withMaxPayloadBytes(int maxPayloadBytes) {
        return new PostgresOutboxConfig(schema, maxPayloadBytes);
    }
}
