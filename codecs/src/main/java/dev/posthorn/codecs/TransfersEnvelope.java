package dev.posthorn.codecs;

import dev.posthorn.codecs.JsonText.Field;
import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code transfers}: the JSON object {@code {envelope, key, payload}}.
 *
 * <p>{@code envelope} has {@code v}, {@code eventId}, {@code occurredAt}, {@code tenantId}, {@code traceparent} and
 * {@code type}, which is {@code events.DOMAIN.TYPE}. {@code key} has one field, called after the aggregate's type, such as
 * {@code transferId}. An event whose payload is such an object with its own id travels as it is.
 */
public final class TransfersEnvelope extends JsonEnvelope {

    private static final byte[] VERSION = {'1'};
    private static final String PREFIX = "events.";
    private static final String ENVELOPE = "envelope";
    private static final String KEY = "key";
    private static final String EVENT_ID = "eventId";
    private static final String TRACEPARENT = "traceparent";
    private static final String SUFFIX = "Id";
    private static final Set<String> AT_THE_TOP = Set.of(ENVELOPE, KEY, "payload");
    private static final Set<String> IN_ENVELOPE = Set.of("v", EVENT_ID, "occurredAt", "tenantId", "type");
    private static final Set<String> IN_ENVELOPE_TRACED =
            Set.of("v", EVENT_ID, "occurredAt", "tenantId", "type", TRACEPARENT);
    private static final Pattern WORD = Pattern.compile("[a-z][A-Za-z0-9]*");
    private static final Pattern TRACE = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}.*");

    @Override
    public String name() {
        return "transfers";
    }

    @Override
    void write(Event event, JsonWriter json) {
        Map<String, String> headers = event.headers();
        json.open(ENVELOPE);
        json.name("v");
        json.raw(VERSION);
        json.field(EVENT_ID, event.id().toString());
        json.field("occurredAt", event.occurredAt().toString());
        event.tenant().ifPresent(tenant -> json.field("tenantId", tenant));
        event.traceparent().ifPresent(trace -> json.field(TRACEPARENT, trace));
        json.field("type", PREFIX + event.domain() + "." + event.type());
        json.unknown(headers, "/" + ENVELOPE, event.traceparent().isPresent() ? IN_ENVELOPE_TRACED : IN_ENVELOPE);
        json.close();
        json.open(KEY);
        event.key().ifPresent(key -> json.field(keyName(event), key));
        json.unknown(headers, "/" + KEY, event.key().isPresent() ? Set.of(keyName(event)) : Set.of());
        json.close();
        json.unknown(headers, "", AT_THE_TOP);
    }

    private static String keyName(Event event) {
        return event.aggregateType()
                .filter(type -> WORD.matcher(type).matches())
                .map(type -> type + SUFFIX)
                .orElse(KEY);
    }

    @Override
    Optional<String> idIn(JsonText text, Map<String, Field> fields) {
        @Nullable Field envelope = fields.get(ENVELOPE);
        if (envelope == null || !fields.containsKey(KEY)) {
            return Optional.empty();
        }
        Field id = text.fields(envelope, "/" + ENVELOPE).get(EVENT_ID);
        return Optional.of(id != null && text.isString(id) ? text.string(id) : "");
    }

    @Override
    boolean looksLikeOne(byte[] body) {
        return new String(body, 0, Math.min(body.length, 40), StandardCharsets.UTF_8).contains("\"" + ENVELOPE + "\"");
    }

    @Override
    EventFields fieldsOf(JsonReader json, byte[] payload) {
        JsonReader envelope = json.object(ENVELOPE);
        JsonReader key = json.object(KEY);
        version(envelope);
        UUID id = envelope.id(EVENT_ID);
        Instant occurredAt = envelope.time("occurredAt");
        String[] kind = kind(envelope);
        @Nullable String tenant = envelope.text("tenantId");
        @Nullable String trace = trace(envelope);
        @Nullable String keyName = key.firstName();
        @Nullable String keyValue = keyName == null ? null : key.text(keyName);
        @Nullable String aggregate = aggregateOf(keyName);
        Map<String, String> headers = new HashMap<>(json.unknown());
        headers.putAll(envelope.unknown());
        headers.putAll(key.unknown());
        return new EventFields(
                id,
                kind[0],
                kind[1],
                keyValue,
                null,
                new EventFields.Labels(aggregate, aggregate == null ? null : keyValue, tenant, null, null, trace),
                new EventFields.Body(Map.copyOf(headers), "application/json", payload, occurredAt, null));
    }

    private static void version(JsonReader envelope) {
        @Nullable String version = envelope.raw("v");
        if (version != null && !version.equals("1")) {
            throw envelope.fault("v", "is " + version + ", and only version 1 is known");
        }
        envelope.drop("v");
    }

    private static String[] kind(JsonReader envelope) {
        @Nullable String peeked = envelope.peek("type");
        String type = peeked != null && peeked.startsWith(PREFIX) ? peeked.substring(PREFIX.length()) : peeked;
        if (type != null && (type.indexOf('.') < 1 || type.endsWith("."))) {
            throw envelope.fault("type", "is not of the form events.DOMAIN.TYPE");
        }
        envelope.required("type");
        return String.valueOf(type).split("\\.", 2);
    }

    /** What is no trace context is kept and not used, as its standard asks for. */
    private static @Nullable String trace(JsonReader envelope) {
        @Nullable String trace = envelope.peek(TRACEPARENT);
        return trace != null && TRACE.matcher(trace).matches() ? envelope.text(TRACEPARENT) : null;
    }

    private static @Nullable String aggregateOf(@Nullable String keyName) {
        return keyName != null && keyName.endsWith(SUFFIX) && keyName.length() > SUFFIX.length()
                ? keyName.substring(0, keyName.length() - SUFFIX.length())
                : null;
    }
}
