package dev.posthorn.examples.holdco;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.event.PosthornException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Envelopes as JSON. The payload's own text is kept as it is. Thread-safe. */
public final class EnvelopeCodec implements PayloadCodec {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] encode(Object value) {
        if (!(value instanceof Envelope envelope)) {
            throw new PosthornException("A " + value.getClass().getName() + " is no envelope.");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = MAPPER.createGenerator(bytes)) {
            if (MAPPER.readTree(envelope.payload()).isMissingNode()) {
                throw new PosthornException("Event " + envelope.eventId() + " has an empty payload, which is no JSON.");
            }
            write(envelope, json);
        } catch (IOException e) {
            throw new PosthornException(
                    "The payload of event " + envelope.eventId() + " is no JSON, so it fits in no envelope.", e);
        }
        return bytes.toByteArray();
    }

    private static void write(Envelope envelope, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("event_id", envelope.eventId().toString());
        json.writeStringField("occurred_at", envelope.occurredAt().toString());
        json.writeStringField("aggregate_type", envelope.subject().aggregateType());
        json.writeStringField("aggregate_id", envelope.subject().aggregateId());
        json.writeStringField("event_type", envelope.eventType());
        json.writeStringField("group_id", envelope.scope().groupId());
        json.writeStringField("subsidiary_id", envelope.scope().subsidiaryId());
        json.writeFieldName("payload");
        json.writeRawValue(envelope.payload());
        json.writeEndObject();
    }

    @Override
    public <T> T decode(byte[] payload, Class<T> type) {
        try {
            JsonNode json = MAPPER.readTree(payload);
            return type.cast(new Envelope(
                    UUID.fromString(text(json, "event_id")),
                    Instant.parse(text(json, "occurred_at")),
                    new Envelope.Subject(text(json, "aggregate_type"), text(json, "aggregate_id")),
                    text(json, "event_type"),
                    new Envelope.Scope(textOrNull(json, "group_id"), textOrNull(json, "subsidiary_id")),
                    json.path("payload").toString()));
        } catch (IOException | IllegalArgumentException | DateTimeException | ClassCastException e) {
            throw new PosthornException(
                    "The body of " + payload.length + " bytes is no envelope: " + e.getMessage(), e);
        }
    }

    private static String text(JsonNode json, String field) {
        String text = textOrNull(json, field);
        if (text == null) {
            throw new IllegalArgumentException("it has no " + field);
        }
        return text;
    }

    private static @Nullable String textOrNull(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.isTextual() ? value.textValue() : null;
    }
}
