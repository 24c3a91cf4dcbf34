package dev.posthorn.event;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event taken apart, for stores and transports that write it down and read it back. */
public record EventFields(
        UUID id,
        String domain,
        String type,
        @Nullable String key,
        @Nullable Long sequence,
        Labels labels,
        Body body) {

    EventFields withBody(Body other) {
        return new EventFields(id, domain, type, key, sequence, labels, other);
    }

    EventFields withLabels(Labels other) {
        return new EventFields(id, domain, type, key, sequence, other, body);
    }

    /** What the event refers to and what it follows from; all optional. */
    public record Labels(
            @Nullable String aggregateType,
            @Nullable String aggregateId,
            @Nullable String tenant,
            @Nullable String correlationId,
            @Nullable String causationId,
            @Nullable String traceparent) {

        public static final Labels NONE = new Labels(null, null, null, null, null, null);

        Labels following(String correlation, String causation) {
            return new Labels(aggregateType, aggregateId, tenant, correlation, causation, traceparent);
        }

        Labels traced(String context) {
            return new Labels(aggregateType, aggregateId, tenant, correlationId, causationId, context);
        }
    }

    /**
     * The bytes, what they are, and the times that belong to them.
     *
     * @param stamp see {@link Event#stamp()}; it is about the event and no part of it, so that equality leaves it out
     */
    @SuppressWarnings("ArrayRecordComponent") // shared without a copy; equality is by content below
    public record Body(
            Map<String, String> headers,
            String contentType,
            byte[] payload,
            Instant occurredAt,
            @Nullable Instant deliverAfter,
            long stamp) {

        /** Without a stamp. */
        public Body(
                Map<String, String> headers,
                String contentType,
                byte[] payload,
                Instant occurredAt,
                @Nullable Instant deliverAfter) {
            this(headers, contentType, payload, occurredAt, deliverAfter, 0);
        }

        Body withHeaders(Map<String, String> others) {
            return new Body(Map.copyOf(others), contentType, payload, occurredAt, deliverAfter, stamp);
        }

        /** Without the stamp, which was about the bytes before. */
        Body withPayload(byte[] other, String otherContentType) {
            return new Body(headers, otherContentType, other, occurredAt, deliverAfter);
        }

        Body withStamp(long other) {
            return new Body(headers, contentType, payload, occurredAt, deliverAfter, other);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Body that
                    && headers.equals(that.headers)
                    && contentType.equals(that.contentType)
                    && Arrays.equals(payload, that.payload)
                    && occurredAt.equals(that.occurredAt)
                    && Objects.equals(deliverAfter, that.deliverAfter);
        }

        @Override
        public int hashCode() {
            return Objects.hash(headers, contentType, Arrays.hashCode(payload), occurredAt, deliverAfter);
        }
    }
}
