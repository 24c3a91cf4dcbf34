package dev.posthorn.codecs;

import dev.posthorn.codecs.JsonText.Field;
import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** What envelopes have in common that are JSON objects with the payload, itself JSON, in the field {@code payload}. */
abstract class JsonEnvelope implements Envelope {

    private static final String PAYLOAD = "payload";
    private static final String JSON = "application/json";

    /** Writes every field but the payload, with no bracket at the end. */
    abstract void write(Event event, JsonWriter json);

    /** The id that the text gives its event, if it is such an envelope as far as that can be seen. */
    abstract Optional<String> idIn(JsonText text, Map<String, Field> fields);

    /** Everything but the payload. */
    abstract EventFields fieldsOf(JsonReader json, byte[] payload);

    @Override
    public final Event seal(Event event) {
        if (holds(event)) {
            return event;
        }
        byte[] payload = event.payloadBytes();
        try {
            JsonText.check(payload);
        } catch (UndecodableException noJson) {
            throw new PosthornException("The payload is no JSON, so it fits in no envelope " + name() + ": "
                    + noJson.getMessage() + ". Correct the producer, or choose another envelope for the route.");
        }
        JsonWriter json = new JsonWriter(payload.length);
        write(event, json);
        json.name(PAYLOAD);
        json.raw(payload);
        json.close();
        return event.withPayload(json.bytes(), JSON).withHeader(MARK, Mark.text(name(), event));
    }

    @Override
    public final boolean holds(Event event) {
        if (!event.payload().hasRemaining() || event.payload().get(0) != '{') {
            return false;
        }
        JsonText text = JsonText.of(event.payloadBytes());
        try {
            Map<String, Field> fields = text.fields();
            return fields.containsKey(PAYLOAD)
                    && idIn(text, fields)
                            .filter(id -> id.equalsIgnoreCase(event.id().toString()))
                            .isPresent();
        } catch (UndecodableException noJson) {
            return false;
        }
    }

    @Override
    public final Event open(Event sealed) {
        byte[] body = sealed.payloadBytes();
        Field payload = required(body, JsonText.of(body).fields());
        Optional<Mark> mark = Mark.of(sealed);
        boolean ours = mark.isPresent() && body[body.length - 1] == '}' && isLast(body, payload);
        byte[] inside = ours
                ? Arrays.copyOfRange(body, payload.after(), body.length - 1)
                : Arrays.copyOfRange(body, payload.start(), payload.end());
        return sealed.withPayload(inside, mark.map(Mark::contentType).orElse(JSON))
                .withoutHeader(MARK);
    }

    /** Only our own payloads are followed by the last bracket, with the spaces that belong to them. */
    private static boolean isLast(byte[] body, Field payload) {
        for (int i = payload.end(); i < body.length - 1; i++) {
            if (body[i] > ' ') {
                return false;
            }
        }
        return true;
    }

    @Override
    public final boolean recognises(Message message) {
        byte[] body = message.body();
        JsonText text = JsonText.of(body);
        try {
            return idIn(text, text.fields()).isPresent();
        } catch (UndecodableException noJson) {
            return looksLikeOne(body);
        }
    }

    /** Whether what can not be read was meant to be one, so that it is told what is wrong with it. */
    abstract boolean looksLikeOne(byte[] body);

    @Override
    public final Event read(Message message) {
        byte[] body = message.body();
        JsonReader json = new JsonReader(body);
        Field payload = required(body, json.fields());
        byte[] inside = Arrays.copyOfRange(body, payload.start(), payload.end());
        try {
            return Event.received(fieldsOf(json.without(PAYLOAD), inside));
        } catch (InvalidEventException invalid) {
            throw new UndecodableException("it is no valid event: " + invalid.faults());
        }
    }

    private static Field required(byte[] body, Map<String, Field> fields) {
        Field payload = fields.get(PAYLOAD);
        if (payload == null) {
            throw JsonScanner.fault(body, body.length, "the field /payload is missing");
        }
        return payload;
    }
}
