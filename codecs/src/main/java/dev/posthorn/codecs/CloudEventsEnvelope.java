package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import dev.posthorn.event.InvalidEventException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code cloudevents}: CloudEvents 1.0 in binary mode. The payload is untouched, and the attributes are headers that begin
 * with {@code ce_}, as on Kafka.
 *
 * <p>Read with any prefix that a binding of the standard has: {@code ce_}, {@code ce-}, {@code cloudEvents:} and
 * {@code cloudEvents_}. Needs {@code io.cloudevents:cloudevents-core}.
 */
public final class CloudEventsEnvelope extends HeaderEnvelope {

    private static final String PREFIX = "ce_";
    private static final List<String> PREFIXES = List.of(PREFIX, "ce-", "cloudevents:", "cloudevents_");
    private static final String VERSION = "specversion";

    private final Clock clock;

    public CloudEventsEnvelope() {
        this(Clock.systemUTC());
    }

    /** With a clock for events that do not say when they happened. */
    public CloudEventsEnvelope(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return "cloudevents";
    }

    @Override
    boolean isAttribute(String name) {
        return name.startsWith(PREFIX);
    }

    @Override
    Map<String, String> attributesOf(Event event) {
        CloudEvent cloud = CloudAttributes.of(event).build();
        Map<String, String> attributes = new LinkedHashMap<>();
        cloud.getAttributeNames().forEach(name -> {
            Object value = cloud.getAttribute(name);
            if (value != null && !name.equals("datacontenttype")) {
                attributes.put(PREFIX + name, value.toString());
            }
        });
        attributes.put(PREFIX + "time", event.occurredAt().toString());
        cloud.getExtensionNames()
                .forEach(name -> attributes.put(PREFIX + name, String.valueOf(cloud.getExtension(name))));
        return attributes;
    }

    @Override
    public boolean recognises(Message message) {
        return prefixOf(message).isPresent();
    }

    private static Optional<String> prefixOf(Message message) {
        return PREFIXES.stream()
                .filter(prefix ->
                        message.headers().keySet().stream().anyMatch(name -> name.equalsIgnoreCase(prefix + VERSION)))
                .findFirst();
    }

    @Override
    public Event read(Message message) {
        String prefix = prefixOf(message).orElseThrow(() -> new UndecodableException("it has no " + PREFIX + VERSION));
        var cloud = CloudEventBuilder.v1();
        Map<String, String> others = new HashMap<>();
        try {
            message.headers().forEach((header, value) -> {
                String lower = header.toLowerCase(Locale.ROOT);
                if (!lower.startsWith(prefix)) {
                    others.put(header, value);
                } else if (!lower.equals(prefix + VERSION)) {
                    cloud.withContextAttribute(lower.substring(prefix.length()), value);
                } else if (!value.equals("1.0")) {
                    throw new UndecodableException("the header " + header + " is " + value + ", and only 1.0 is known");
                }
            });
            String contentType = others.remove(EventMessage.CONTENT_TYPE);
            cloud.withDataContentType(contentType == null ? "application/octet-stream" : contentType);
            return Event.received(CloudAttributes.read(cloud.build(), message.body(), others, clock));
        } catch (UndecodableException known) {
            throw known;
        } catch (InvalidEventException invalid) {
            throw new UndecodableException("it is no valid event: " + invalid.faults());
        } catch (RuntimeException invalid) { // the library has no type of its own for most of what can be wrong
            throw new UndecodableException("it is no CloudEvent: " + invalid.getMessage());
        }
    }
}
