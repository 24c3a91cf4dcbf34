package dev.posthorn.codecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.event.PosthornException;
import java.io.IOException;

/**
 * Values as JSON in UTF-8, by Jackson.
 *
 * <p>Times of {@code java.time} are ISO 8601 text. Fields that the reader's class does not know are skipped, so that a
 * producer may add one without breaking its consumers. Thread-safe.
 */
public final class JsonCodec implements PayloadCodec {

    private final ObjectMapper mapper;

    public JsonCodec() {
        this(JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .build());
    }

    /** With the application's own mapper, which must not be reconfigured afterwards. */
    public JsonCodec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] encode(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new PosthornException(
                    "A " + value.getClass().getName() + " can not be written as JSON: " + e.getOriginalMessage()
                            + ". Nothing was emitted; correct the class, or give the codec a mapper that knows it.",
                    e);
        }
    }

    @Override
    public <T> T decode(byte[] payload, Class<T> type) {
        T value;
        try {
            value = mapper.readValue(payload, type);
        } catch (IOException e) {
            throw new PosthornException(
                    "A payload of " + payload.length + " bytes can not be read as JSON of " + type.getName() + ": "
                            + (e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage())
                            + ". Correct the class, or reject the event.",
                    e);
        }
        if (value == null) {
            throw new PosthornException("The payload is the JSON null, which is no " + type.getName()
                    + ". Correct the producer, or reject the event.");
        }
        return value;
    }
}
