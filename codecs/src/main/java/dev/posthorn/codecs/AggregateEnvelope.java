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
import org.jspecify.annotations.Nullable;

/**
 * {@code aggregate}: one JSON object with {@code event_id}, {@code occurred_at}, {@code aggregate_type},
 * {@code aggregate_id}, {@code event_type}, {@code group_id} (the tenant), {@code subsidiary_id} (the header
 * {@code subsidiary-id}; absent if there is none) and {@code payload}.
 *
 * <p>An event whose payload is such an object with its own id travels as it is. The form knows no domain and no key: what
 * others have made gets the domain of this object, and its aggregate's id as key.
 */
public final class AggregateEnvelope extends JsonEnvelope {

    private static final String EVENT_ID = "event_id";
    private static final String SUBSIDIARY = "subsidiary-id";

    private static final Set<String> NAMES = Set.of(
            EVENT_ID,
            "occurred_at",
            "aggregate_type",
            "aggregate_id",
            "event_type",
            "group_id",
            "subsidiary_id",
            "payload");

    private final String domain;

    /** With the domain of events that others have made. */
    public AggregateEnvelope(String domain) {
        this.domain = domain;
    }

    @Override
    public String name() {
        return "aggregate";
    }

    @Override
    void write(Event event, JsonWriter json) {
        json.field(EVENT_ID, event.id().toString());
        json.field("occurred_at", event.occurredAt().toString());
        json.field("aggregate_type", event.aggregateType().orElse(null));
        json.field("aggregate_id", event.aggregateId().orElse(null));
        json.field("event_type", event.type());
        json.field("group_id", event.tenant().orElse(null));
        @Nullable String subsidiary = event.headers().get(SUBSIDIARY);
        if (subsidiary != null) {
            json.field("subsidiary_id", subsidiary);
        }
        json.unknown(event.headers(), "", NAMES);
    }

    @Override
    Optional<String> idIn(JsonText text, Map<String, Field> fields) {
        Field id = fields.get(EVENT_ID);
        if (id == null || !fields.containsKey("event_type")) {
            return Optional.empty();
        }
        return Optional.of(text.isString(id) ? text.string(id) : "");
    }

    @Override
    boolean looksLikeOne(byte[] body) {
        return new String(body, 0, Math.min(body.length, 40), StandardCharsets.UTF_8).contains("\"" + EVENT_ID + "\"");
    }

    @Override
    EventFields fieldsOf(JsonReader json, byte[] payload) {
        UUID id = json.id(EVENT_ID);
        Instant occurredAt = json.time("occurred_at");
        @Nullable String aggregateType = json.text("aggregate_type");
        @Nullable String aggregateId = json.text("aggregate_id");
        String type = json.required("event_type");
        @Nullable String tenant = json.text("group_id");
        @Nullable String subsidiary = json.text("subsidiary_id");
        Map<String, String> headers = new HashMap<>(json.unknown());
        if (subsidiary != null) {
            headers.put(SUBSIDIARY, subsidiary);
        }
        return new EventFields(
                id,
                domain,
                type,
                aggregateId,
                null,
                new EventFields.Labels(aggregateType, aggregateId, tenant, null, null, null),
                new EventFields.Body(Map.copyOf(headers), "application/json", payload, occurredAt, null));
    }
}
