package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import java.time.DateTimeException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code attributes}: the payload as it is, and the attributes {@code event_id}, {@code event_type}, {@code aggregate_type},
 * {@code aggregate_id} and {@code created_at}.
 *
 * <p>The form knows no domain and no key: what others have made gets the domain of this object, and its aggregate's id as
 * key. Other attributes become headers.
 */
public final class AttributesEnvelope extends HeaderEnvelope {

    private static final String ID = "event_id";
    private static final String TYPE = "event_type";
    private static final String AGGREGATE_TYPE = "aggregate_type";
    private static final String AGGREGATE_ID = "aggregate_id";
    private static final String TIME = "created_at";
    private static final Set<String> NAMES = Set.of(ID, TYPE, AGGREGATE_TYPE, AGGREGATE_ID, TIME);

    private final String domain;

    /** With the domain of events that others have made. */
    public AttributesEnvelope(String domain) {
        this.domain = domain;
    }

    @Override
    public String name() {
        return "attributes";
    }

    @Override
    boolean isAttribute(String name) {
        return NAMES.contains(name);
    }

    @Override
    Map<String, String> attributesOf(Event event) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(ID, event.id().toString());
        attributes.put(TYPE, event.type());
        event.aggregateType().ifPresent(type -> attributes.put(AGGREGATE_TYPE, type));
        event.aggregateId().ifPresent(id -> attributes.put(AGGREGATE_ID, id));
        attributes.put(TIME, event.occurredAt().toString());
        return attributes;
    }

    @Override
    public boolean recognises(Message message) {
        return message.headers().containsKey(ID) && message.headers().containsKey(TYPE);
    }

    @Override
    public Event read(Message message) {
        Map<String, String> headers = new HashMap<>(message.headers());
        String id = required(headers, ID);
        String type = required(headers, TYPE);
        String time = required(headers, TIME);
        @Nullable String aggregateType = headers.remove(AGGREGATE_TYPE);
        @Nullable String aggregateId = headers.remove(AGGREGATE_ID);
        @Nullable String trace = headers.remove(EventMessage.TRACEPARENT);
        @Nullable String contentType = headers.remove(EventMessage.CONTENT_TYPE);
        try {
            return Event.received(new EventFields(
                    JsonReader.uuid(id),
                    domain,
                    type,
                    aggregateId,
                    null,
                    new EventFields.Labels(aggregateType, aggregateId, null, null, null, trace),
                    new EventFields.Body(
                            Map.copyOf(headers),
                            contentType == null ? "application/json" : contentType,
                            message.body(),
                            JsonReader.instant(time),
                            null)));
        } catch (InvalidEventException invalid) {
            throw new UndecodableException("it is no valid event: " + invalid.faults());
        } catch (DateTimeException noTime) {
            throw new UndecodableException("the attribute " + TIME + " is no time such as 2026-03-01T09:30:00Z");
        } catch (IllegalArgumentException noId) {
            throw new UndecodableException("the attribute " + ID + " is no UUID");
        }
    }

    private static String required(Map<String, String> attributes, String name) {
        String value = attributes.remove(name);
        if (value == null) {
            throw new UndecodableException("the attribute " + name + " is missing");
        }
        return value;
    }
}
