package dev.posthorn.event;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, as it travels: who it is, where it belongs in the order, and its exact bytes.
 *
 * <p>Immutable and thread-safe; every handler in a process may share one instance. Two events are equal if all their
 * fields and bytes are.
 */
public final class Event {

    private static final char SLASH = '/';
    private static final String WHOLE_GROUP = "/*";

    private final EventFields fields;

    Event(EventFields fields) {
        this.fields = fields;
    }

    /** Starts an event of this domain (bounded context) and type, with a fresh id and the current time. */
    public static EventBuilder of(String domain, String type) {
        return EventFactory.system().of(domain, type);
    }

    /**
     * Rebuilds an event that was valid when it was emitted, without checking it again.
     *
     * <p>For stores and transports. The caller gives the payload array away and must not change it afterwards.
     */
    public static Event restored(EventFields fields) {
        return new Event(fields);
    }

    /**
     * Rebuilds an event that came from outside, or throws {@link InvalidEventException} with every fault.
     *
     * <p>The caller gives the payload array away and must not change it afterwards.
     */
    public static Event received(EventFields fields) {
        EventRules.checkReceived(fields);
        return new Event(fields);
    }

    /**
     * Throws {@link InvalidEventException} with every fault if {@link #received} would not take this event.
     *
     * <p>For transports: a restored event was not checked, and what a receiver cannot read must not be sent.
     */
    public void requireReceivable() {
        EventRules.checkReceived(fields);
    }

    /** Unique, made in the client, time-ordered. Consumers recognise a duplicate by it. */
    public UUID id() {
        return fields.id();
    }

    /** The bounded context the event belongs to; subscribers filter by it first. */
    public String domain() {
        return fields.domain();
    }

    /** What happened, within the domain. */
    public String type() {
        return fields.type();
    }

    /** Events of one key are published in order. An event without a key has no order. */
    public Optional<String> key() {
        return Optional.ofNullable(fields.key());
    }

    /** The aggregate's own version, if the producer keeps one. Not the log's sequence. */
    public OptionalLong sequence() {
        Long sequence = fields.sequence();
        return sequence == null ? OptionalLong.empty() : OptionalLong.of(sequence);
    }

    public Optional<String> aggregateType() {
        return Optional.ofNullable(fields.labels().aggregateType());
    }

    public Optional<String> aggregateId() {
        return Optional.ofNullable(fields.labels().aggregateId());
    }

    /** Whose event it is: a name, or {@code GROUP/SUBSIDIARY}. */
    public Optional<String> tenant() {
        return Optional.ofNullable(fields.labels().tenant());
    }

    /** The group of its tenant: what stands before the first slash, or the whole tenant where there is none. */
    public Optional<String> group() {
        return tenant().map(Event::groupOf);
    }

    /** The subsidiary that its tenant is: what stands behind the first slash; empty where there is none. */
    public Optional<String> subsidiary() {
        return tenant().filter(name -> name.indexOf(SLASH) >= 0).map(name -> name.substring(name.indexOf(SLASH) + 1));
    }

    /** Whether its tenant is among these: by its name, or by {@code GROUP/*}, which is the group with all its subsidiaries. */
    public boolean isOfTenant(Set<String> names) {
        return tenant().filter(name -> names.contains(name) || names.contains(groupOf(name) + WHOLE_GROUP))
                .isPresent();
    }

    /** The group that a name such as {@code GROUP/*} stands for; empty if it stands for one tenant. */
    public static Optional<String> groupNamed(String tenant) {
        String group = groupOf(tenant);
        return tenant.equals(group + WHOLE_GROUP) ? Optional.of(group) : Optional.empty();
    }

    private static String groupOf(String tenant) {
        int slash = tenant.indexOf(SLASH);
        return slash < 0 ? tenant : tenant.substring(0, slash);
    }

    /** Shared by everything that follows from one request. */
    public Optional<String> correlationId() {
        return Optional.ofNullable(fields.labels().correlationId());
    }

    /** The id of the message that caused this event. */
    public Optional<String> causationId() {
        return Optional.ofNullable(fields.labels().causationId());
    }

    /** W3C trace context of the emitting span. */
    public Optional<String> traceparent() {
        return Optional.ofNullable(fields.labels().traceparent());
    }

    /** Unmodifiable; never null. */
    public Map<String, String> headers() {
        return fields.body().headers();
    }

    /** The same event with one more header, or with another value of one it has. Shares the payload; nothing is checked. */
    public Event withHeader(String name, String value) {
        Map<String, String> headers = new TreeMap<>(fields.body().headers());
        headers.put(name, value);
        return new Event(fields.withBody(fields.body().withHeaders(headers)));
    }

    /** The same event without this header. Shares the payload. */
    public Event withoutHeader(String name) {
        if (!headers().containsKey(name)) {
            return this;
        }
        if (headers().size() == 1) { // mostly it was the only one
            return new Event(fields.withBody(fields.body().withHeaders(Map.of())));
        }
        Map<String, String> headers = new HashMap<>(headers());
        headers.remove(name);
        return new Event(fields.withBody(fields.body().withHeaders(headers)));
    }

    /**
     * The same event with other bytes, such as those in an envelope or behind a reference. Nothing is checked.
     *
     * <p>The caller gives the array away and must not change it afterwards.
     */
    public Event withPayload(byte[] payload, String contentType) {
        return new Event(fields.withBody(fields.body().withPayload(payload, contentType)));
    }

    /** The same event as one that follows from something: with this correlation id and the id of what caused it. */
    public Event following(String correlationId, String causationId) {
        return new Event(fields.withLabels(fields.labels().following(correlationId, causationId)));
    }

    /** The same event with another W3C trace context. Nothing is checked. */
    public Event withTraceparent(String traceparent) {
        return new Event(fields.withLabels(fields.labels().traced(traceparent)));
    }

    public String contentType() {
        return fields.body().contentType();
    }

    /** A fresh read-only view of the exact bytes; costs no copy. */
    public ByteBuffer payload() {
        return ByteBuffer.wrap(fields.body().payload()).asReadOnlyBuffer();
    }

    /** A copy of the exact bytes. */
    public byte[] payloadBytes() {
        return fields.body().payload().clone();
    }

    public int payloadSize() {
        return fields.body().payload().length;
    }

    /**
     * What whoever emitted it says of having checked the payload, in the words of a registry; 0 if nothing.
     *
     * <p>It is kept in the log and does not travel. Other bytes have none, and two events may be equal that differ in it.
     */
    public long stamp() {
        return fields.body().stamp();
    }

    /** The same event with this stamp, or without one if it is 0. */
    public Event withStamp(long stamp) {
        return new Event(fields.withBody(fields.body().withStamp(stamp)));
    }

    /** The payload decoded by a codec. */
    public <T> T payloadAs(Class<T> type, PayloadCodec codec) {
        return codec.decode(payloadBytes(), type);
    }

    /** When it happened, by the producer's clock, to the microsecond. */
    public Instant occurredAt() {
        return fields.body().occurredAt();
    }

    /**
     * The earliest time at which it is published, if the producer asked for one.
     *
     * <p>Such an event stands outside the order of its key: later events of the key do not wait for it, and when it is
     * due it is published whatever the key has reached by then.
     */
    public Optional<Instant> deliverAfter() {
        return Optional.ofNullable(fields.body().deliverAfter());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Event that && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return fields.id().hashCode();
    }

    /** Identifies the event in logs and errors; never shows its payload or headers. */
    @Override
    public String toString() {
        return "Event[" + fields.id() + " " + fields.domain() + "/" + fields.type()
                + (fields.key() == null ? "" : " key=" + fields.key()) + "]";
    }
}
