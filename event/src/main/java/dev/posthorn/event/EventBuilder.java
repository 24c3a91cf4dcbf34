package dev.posthorn.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds one event; {@link #build} checks everything at once. Not thread-safe; use one per event. */
public final class EventBuilder {

    private static final byte[] EMPTY = {};

    private final String domain;
    private final String type;
    private final Map<String, String> headers = new TreeMap<>();
    private UUID id;
    private Instant occurredAt;
    private String contentType = "application/octet-stream";
    private byte[] payload = EMPTY;
    private @Nullable String key;
    private @Nullable Long sequence;
    private @Nullable String aggregateType;
    private @Nullable String aggregateId;
    private @Nullable String tenant;
    private @Nullable String correlationId;
    private @Nullable String causationId;
    private @Nullable String traceparent;
    private @Nullable Instant deliverAfter;

    EventBuilder(UUID id, String domain, String type, Instant occurredAt) {
        this.id = id;
        this.domain = domain;
        this.type = type;
        this.occurredAt = occurredAt;
    }

    /** Replaces the fresh id, for producers that derive it (an idempotent emit needs the same id again). */
    public EventBuilder id(UUID id) {
        this.id = id;
        return this;
    }

    /** Events of one key are published in order; without a key there is no order. */
    public EventBuilder key(@Nullable String key) {
        this.key = key;
        return this;
    }

    /** The aggregate's own version. */
    public EventBuilder sequence(long sequence) {
        this.sequence = sequence;
        return this;
    }

    /** What the event is about, for tracing. Does not set the key. */
    public EventBuilder aggregate(String type, String id) {
        this.aggregateType = type;
        this.aggregateId = id;
        return this;
    }

    public EventBuilder tenant(@Nullable String tenant) {
        this.tenant = tenant;
        return this;
    }

    public EventBuilder correlationId(@Nullable String correlationId) {
        this.correlationId = correlationId;
        return this;
    }

    public EventBuilder causationId(@Nullable String causationId) {
        this.causationId = causationId;
        return this;
    }

    /** W3C trace context, as in {@code 00-<trace id>-<span id>-01}. */
    public EventBuilder traceparent(@Nullable String traceparent) {
        this.traceparent = traceparent;
        return this;
    }

    public EventBuilder header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    public EventBuilder headers(Map<String, String> headers) {
        this.headers.putAll(headers);
        return this;
    }

    /** These exact bytes; copied here, so the array may be reused. */
    public EventBuilder payload(byte[] payload, String contentType) {
        this.payload = payload.clone();
        this.contentType = contentType;
        return this;
    }

    /** A JSON text that is already there, kept byte for byte in UTF-8. */
    public EventBuilder json(String json) {
        this.payload = json.getBytes(StandardCharsets.UTF_8);
        this.contentType = "application/json";
        return this;
    }

    /** A value, encoded by a codec now. */
    public EventBuilder payload(Object value, PayloadCodec codec) {
        this.payload = codec.encode(value).clone();
        this.contentType = codec.contentType();
        return this;
    }

    /** When it happened, if not now. Kept to the microsecond, as Postgres does. */
    public EventBuilder occurredAt(Instant occurredAt) {
        this.occurredAt = occurredAt;
        return this;
    }

    /**
     * Publishes it no earlier than then. Such an event is outside the order of its key: the key's later events do not
     * wait for it, and it does not wait for them.
     */
    public EventBuilder deliverAfter(@Nullable Instant deliverAfter) {
        this.deliverAfter = deliverAfter;
        return this;
    }

    /** The event, or {@link InvalidEventException} with every fault. */
    public Event build() {
        EventFields fields = new EventFields(
                id,
                domain,
                type,
                key,
                sequence,
                new EventFields.Labels(aggregateType, aggregateId, tenant, correlationId, causationId, traceparent),
                new EventFields.Body(
                        Map.copyOf(headers),
                        contentType,
                        payload,
                        occurredAt.truncatedTo(ChronoUnit.MICROS),
                        deliverAfter == null ? null : deliverAfter.truncatedTo(ChronoUnit.MICROS)));
        EventRules.check(fields);
        return new Event(fields);
    }
}
