package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventFields;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which attribute of a CloudEvent is what of an event.
 *
 * <p>The domain is the source, with a slash before it, and the aggregate's id the subject. Headers with names that the
 * standard allows are extensions. What of a CloudEvent has no place in an event, such as an id that is no UUID, is kept in
 * a header that begins with a slash, and used again when the event is sealed.
 */
final class CloudAttributes {

    private static final String ID = "/id";
    private static final String SOURCE = "/source";
    private static final String TYPE = "/type";
    private static final String SCHEMA = "dataschema";
    private static final String KEY = "partitionkey";
    private static final String SEQUENCE = "sequence";
    private static final String AGGREGATE = "aggregatetype";
    private static final String TRACE = "traceparent";
    private static final int LONGEST_NAME = 200;
    private static final Set<String> ATTRIBUTES =
            Set.of("id", "source", "specversion", "type", "datacontenttype", SCHEMA, "subject", "time", "data");
    private static final Pattern EXTENSION = Pattern.compile("[a-z0-9]{1,20}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]*");
    private static final Pattern NUMBER = Pattern.compile("0|-?[1-9][0-9]{0,17}");
    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}.*");

    private CloudAttributes() {}

    /** All but the data. */
    static CloudEventBuilder of(Event event) {
        Map<String, String> headers = event.headers();
        CloudEventBuilder cloud = CloudEventBuilder.v1()
                .withId(headers.getOrDefault(ID, event.id().toString()))
                .withSource(uri(headers.get(SOURCE)).orElseGet(() -> URI.create("/" + event.domain())))
                .withType(headers.getOrDefault(TYPE, event.type()))
                .withTime(event.occurredAt().atOffset(ZoneOffset.UTC))
                .withDataContentType(event.contentType());
        event.aggregateId().ifPresent(cloud::withSubject);
        uri(headers.get(SCHEMA)).ifPresent(cloud::withDataSchema);
        extensionsOf(event).forEach(cloud::withExtension);
        return cloud;
    }

    private static Map<String, String> extensionsOf(Event event) {
        Map<String, String> extensions = new LinkedHashMap<>();
        event.key().ifPresent(key -> extensions.put(KEY, key));
        event.sequence().ifPresent(sequence -> extensions.put(SEQUENCE, Long.toString(sequence)));
        event.aggregateType().ifPresent(type -> extensions.put(AGGREGATE, type));
        event.tenant().ifPresent(tenant -> extensions.put("tenant", tenant));
        event.correlationId().ifPresent(id -> extensions.put("correlationid", id));
        event.causationId().ifPresent(id -> extensions.put("causationid", id));
        event.traceparent().ifPresent(trace -> extensions.put(TRACE, trace));
        event.headers().forEach((name, value) -> {
            if (EXTENSION.matcher(name).matches() && !ATTRIBUTES.contains(name)) {
                extensions.putIfAbsent(name, value);
            }
        });
        return extensions;
    }

    private static Optional<URI> uri(@Nullable String text) {
        try {
            return text == null ? Optional.empty() : Optional.of(new URI(text));
        } catch (URISyntaxException none) {
            return Optional.empty();
        }
    }

    /** The event of a CloudEvent with these bytes; others are headers that came with it. */
    static EventFields read(CloudEvent cloud, byte[] data, Map<String, String> others, Clock clock) {
        Map<String, String> headers = new HashMap<>(others);
        cloud.getExtensionNames().forEach(name -> headers.put(name, String.valueOf(cloud.getExtension(name))));
        if (cloud.getDataSchema() != null) {
            headers.put(SCHEMA, cloud.getDataSchema().toString());
        }
        String source = cloud.getSource().toString();
        String domain = nameOf(source.startsWith("/") ? source.substring(1) : source);
        keep(headers, SOURCE, source, "/" + domain);
        String type = nameOf(cloud.getType());
        keep(headers, TYPE, cloud.getType(), type);
        UUID id = idOf(source, cloud.getId());
        keep(headers, ID, cloud.getId(), id.toString());
        Instant time =
                cloud.getTime() == null ? clock.instant() : cloud.getTime().toInstant();
        @Nullable String sequence = takeIf(headers, SEQUENCE, NUMBER);
        @Nullable String key = headers.remove(KEY);
        EventFields.Labels labels = new EventFields.Labels(
                headers.remove(AGGREGATE),
                cloud.getSubject(),
                headers.remove("tenant"),
                headers.remove("correlationid"),
                headers.remove("causationid"),
                takeIf(headers, TRACE, TRACEPARENT));
        @Nullable String contentType = cloud.getDataContentType();
        return new EventFields(
                id,
                domain,
                type,
                key,
                sequence == null ? null : Long.valueOf(sequence),
                labels,
                new EventFields.Body(
                        Map.copyOf(headers),
                        contentType == null ? "application/json" : contentType,
                        data,
                        time.truncatedTo(ChronoUnit.MICROS),
                        null));
    }

    private static void keep(Map<String, String> headers, String name, String original, String used) {
        if (!original.equals(used)) {
            headers.put(name, original);
        }
    }

    private static @Nullable String takeIf(Map<String, String> headers, String name, Pattern form) {
        String value = headers.get(name);
        return value != null && form.matcher(value).matches() ? headers.remove(name) : null;
    }

    /** A CloudEvent is known by source and id together. */
    private static UUID idOf(String source, String id) {
        try {
            return JsonReader.uuid(id);
        } catch (IllegalArgumentException another) {
            return UUID.nameUUIDFromBytes((source + " " + id).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String nameOf(String text) {
        if (text.length() <= LONGEST_NAME && NAME.matcher(text).matches()) {
            return text;
        }
        String legal = text.replaceAll("[^A-Za-z0-9._:/-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
        String name = legal.isEmpty() ? "cloudevents" : legal;
        return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
    }
}
