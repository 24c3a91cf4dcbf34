package dev.posthorn.codecs;

import dev.posthorn.codecs.JsonText.Field;
import dev.posthorn.event.Event;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.jackson.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code cloudevents-structured}: CloudEvents 1.0 in structured mode, one JSON object with attributes and data.
 *
 * <p>A payload that is JSON stands there as it is, any other as Base64. Needs
 * {@code io.cloudevents:cloudevents-json-jackson}.
 */
public final class StructuredCloudEventsEnvelope implements Envelope {

    private static final String CONTENT_TYPE = "application/cloudevents+json";
    private static final String DATA = "data";
    private static final String BASE64 = "data_base64";
    private static final Pattern JSON_TYPE = Pattern.compile("[^;]*[/+]json\\s*(;.*)?");
    private static final JsonFormat FORMAT = new JsonFormat();
    private static final JsonFormat IN_BASE64 = FORMAT.withForceJsonDataToBase64();

    private final Clock clock;

    public StructuredCloudEventsEnvelope() {
        this(Clock.systemUTC());
    }

    /** With a clock for events that do not say when they happened. */
    public StructuredCloudEventsEnvelope(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return "cloudevents-structured";
    }

    @Override
    public Event seal(Event event) {
        if (holds(event)) {
            return event;
        }
        byte[] payload = event.payloadBytes();
        CloudEventBuilder cloud = CloudAttributes.of(event);
        if (payload.length > 0) {
            cloud.withData(payload);
        }
        boolean json = JsonText.isJson(payload);
        byte[] body = (json ? FORMAT : IN_BASE64).serialize(cloud.build());
        return event.withPayload(body, CONTENT_TYPE).withHeader(MARK, Mark.text(name(), event));
    }

    @Override
    public boolean holds(Event event) {
        if (!event.contentType().startsWith(CONTENT_TYPE)) {
            return false;
        }
        try {
            return event.id().toString().equalsIgnoreCase(new JsonReader(event.payloadBytes()).peek("id"));
        } catch (UndecodableException noJson) {
            return false;
        }
    }

    @Override
    public Event open(Event sealed) {
        byte[] body = sealed.payloadBytes();
        JsonReader json = new JsonReader(body);
        Field data = json.fields().get(DATA);
        byte[] inside = Mark.of(sealed).isPresent() && data != null
                ? Arrays.copyOfRange(body, data.after(), body.length - 1)
                : dataOf(body, json);
        @Nullable
        String contentType =
                Mark.of(sealed).map(Mark::contentType).orElseGet(() -> orJson(json.peek("datacontenttype")));
        return sealed.withPayload(inside, contentType).withoutHeader(MARK);
    }

    private static String orJson(@Nullable String contentType) {
        return contentType == null ? "application/json" : contentType;
    }

    @Override
    public boolean recognises(Message message) {
        String contentType = message.headers().getOrDefault(EventMessage.CONTENT_TYPE, "");
        if (contentType.startsWith("application/cloudevents")) {
            return true;
        }
        try {
            return new JsonReader(message.body()).fields().containsKey("specversion");
        } catch (UndecodableException noJson) {
            return false;
        }
    }

    @Override
    public Event read(Message message) {
        JsonReader json = new JsonReader(message.body());
        @Nullable String version = json.peek("specversion");
        if (!"1.0".equals(version)) {
            throw json.fault("specversion", "is " + version + ", and only 1.0 is known");
        }
        byte[] data = dataOf(message.body(), json);
        Map<String, String> others = new HashMap<>(message.headers());
        others.remove(EventMessage.CONTENT_TYPE);
        try {
            CloudEvent cloud = FORMAT.deserialize(message.body());
            return Event.received(CloudAttributes.read(cloud, data, others, clock));
        } catch (InvalidEventException invalid) {
            throw new UndecodableException("it is no valid event: " + invalid.faults());
        } catch (RuntimeException invalid) { // the library has no type of its own for most of what can be wrong
            throw new UndecodableException("it is no CloudEvent: " + invalid.getMessage());
        }
    }

    /** The bytes as they stand there: the library would write numbers and spaces anew. */
    private static byte[] dataOf(byte[] body, JsonReader json) {
        Field data = json.fields().get(DATA);
        @Nullable String base64 = json.peek(BASE64);
        if (data == null && base64 == null) {
            return new byte[0];
        }
        if (data != null && base64 != null) {
            throw json.fault(DATA, "and /data_base64 are there both");
        }
        if (data == null) {
            try {
                return Base64.getDecoder().decode(String.valueOf(base64));
            } catch (IllegalArgumentException none) {
                throw json.fault(BASE64, "is no Base64: " + none.getMessage());
            }
        }
        @Nullable String text = json.peek(DATA);
        boolean isJson = JSON_TYPE.matcher(orJson(json.peek("datacontenttype"))).matches();
        return text != null && !isJson
                ? text.getBytes(StandardCharsets.UTF_8)
                : Arrays.copyOfRange(body, data.start(), data.end());
    }
}
