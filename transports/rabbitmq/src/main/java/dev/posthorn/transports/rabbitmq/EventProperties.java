package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Publication;
import java.io.IOException;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An event's properties as a message: those of every transport, and seven {@code x-} headers for consumers of others. */
final class EventProperties {

    private static final int PERSISTENT = 2;
    private static final int SHORT = 255;
    private static final int LABEL = 1_000;
    /** Of the smallest frame that brokers are usually set to, with room for what is around it. */
    private static final int LONGEST = 120_000;

    private EventProperties() {}

    /** Throws {@link PosthornException} if AMQP can not carry them. */
    static BasicProperties of(Publication publication) {
        Event event = publication.event();
        Map<String, Object> headers = new HashMap<>(EventMessage.headersOf(event));
        headers.put("x-event-id", event.id().toString());
        headers.put("x-event-type", event.type());
        headers.put("x-attempts", publication.attempt());
        event.aggregateType().ifPresent(value -> headers.put("x-aggregate-type", value));
        event.aggregateId().ifPresent(value -> headers.put("x-aggregate-id", value));
        Optional.ofNullable(event.headers().get("group-id"))
                .or(event::tenant)
                .filter(EventProperties::isLabel)
                .ifPresent(value -> headers.put("x-group-id", value));
        Optional.ofNullable(event.headers().get("subsidiary-id"))
                .filter(EventProperties::isLabel)
                .ifPresent(value -> headers.put("x-subsidiary-id", value));
        BasicProperties.Builder properties = new BasicProperties.Builder()
                .messageId(event.id().toString())
                .type(event.type())
                .timestamp(Date.from(event.occurredAt().isBefore(Instant.EPOCH) ? Instant.EPOCH : event.occurredAt()))
                .deliveryMode(PERSISTENT)
                .headers(headers);
        if (isShort(event.contentType())) {
            properties.contentType(event.contentType());
        }
        event.correlationId().filter(EventProperties::isShort).ifPresent(properties::correlationId);
        return checked(properties.build(), headers);
    }

    /**
     * The client library would count a message that it then can not write, and take every later confirm for another
     * message's. So what could be too long is written for a trial first.
     */
    private static BasicProperties checked(BasicProperties properties, Map<String, Object> headers) {
        int characters = 0;
        boolean longName = false;
        for (Map.Entry<String, Object> header : headers.entrySet()) {
            characters +=
                    header.getKey().length() + header.getValue().toString().length();
            longName |= !isShort(header.getKey());
        }
        if ((longName || characters > LONGEST / 4) && !fits(properties)) {
            throw new PosthornException("AMQP can not carry its headers: a name has more than " + SHORT
                    + " bytes, or all have more than " + LONGEST);
        }
        return properties;
    }

    /** Whether they can be written at all. */
    static boolean fits(BasicProperties properties) {
        try {
            return properties.toFrame(1, 0).size() <= LONGEST;
        } catch (IOException | IllegalArgumentException impossible) {
            return false;
        }
    }

    /** What is longer is no id of anything, and would be there twice. */
    private static boolean isLabel(String text) {
        return text.length() <= LABEL;
    }

    /** Surely, whatever its characters are. */
    private static boolean isShort(String text) {
        return text.length() <= SHORT / 3;
    }

    /** Headers as text; what has no text is left out. */
    static Map<String, String> textOf(@Nullable Map<String, Object> headers) {
        Map<String, String> text = new HashMap<>();
        if (headers != null) {
            headers.forEach((name, value) -> {
                if (value != null) {
                    text.put(name, value.toString());
                }
            });
        }
        return text;
    }
}
