package dev.posthorn.spring;

import dev.posthorn.event.PayloadCodec;
import dev.posthorn.event.PosthornException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;

/** Values as JSON in UTF-8, by the mapper of Jackson 3 that the application has. */
final class JacksonCodec implements PayloadCodec {

    private final ObjectMapper mapper;

    JacksonCodec(ObjectMapper mapper) {
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
        } catch (JacksonException failed) {
            throw new PosthornException(
                    "A " + value.getClass().getName() + " can not be written as JSON: " + failed.getOriginalMessage()
                            + ". Nothing was emitted; correct the class, or configure the application's mapper for it.",
                    failed);
        }
    }

    @Override
    public <T> T decode(byte[] payload, Class<T> type) {
        T value;
        try {
            value = mapper.readValue(payload, type);
        } catch (JacksonException failed) {
            throw new PosthornException(
                    "A payload of " + payload.length + " bytes can not be read as JSON of " + type.getName() + ": "
                            + failed.getOriginalMessage() + ". Correct the class, or reject the event.",
                    failed);
        }
        if (value == null) {
            throw new PosthornException("The payload is the JSON null, which is no " + type.getName()
                    + ". Correct the producer, or reject the event.");
        }
        return value;
    }
}
