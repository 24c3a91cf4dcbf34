package dev.posthorn.transports.redisstreams;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event as the fields of an entry: each header is one, and the payload is {@value #PAYLOAD}. */
final class Fields {

    static final String PAYLOAD = "posthorn-payload";
    static final String DEAD_REASON = "posthorn-dead-reason";
    static final String DEAD_SUBSCRIBER = "posthorn-dead-subscriber";
    static final String DEAD_STREAM = "posthorn-dead-stream";
    static final String DEAD_ID = "posthorn-dead-id";

    private Fields() {}

    /** Names and values in turn. */
    static Object[] of(Event event) {
        List<Object> fields = new ArrayList<>();
        EventMessage.headersOf(event).forEach((name, value) -> {
            fields.add(Link.bytes(name));
            fields.add(Link.bytes(value));
        });
        fields.add(Link.bytes(PAYLOAD));
        fields.add(event.payloadBytes());
        return fields.toArray();
    }

    /** As they came, and why they are dead. */
    static Object[] dead(List<byte[]> fields, Map<String, String> about) {
        List<Object> all = new ArrayList<>(fields);
        about.forEach((name, value) -> {
            all.add(Link.bytes(name));
            all.add(Link.bytes(value));
        });
        return all.toArray();
    }

    static Message message(List<byte[]> fields) {
        Map<String, String> headers = new HashMap<>();
        byte @Nullable [] payload = null;
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            String name = Link.text(fields.get(i));
            if (name.equals(PAYLOAD)) {
                payload = fields.get(i + 1);
            } else {
                headers.put(name, Link.text(fields.get(i + 1)));
            }
        }
        if (payload == null) {
            headers.remove(EventMessage.ID); // without a payload it is no event, whatever else it has
            payload = new byte[0];
        }
        return new Message(headers, payload);
    }
}
