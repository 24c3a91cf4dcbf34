package dev.posthorn.transport;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The topics of event types that name one, in place of the topic that the template of all events gives.
 *
 * <p>Immutable and thread-safe. A topic may contain {@code {prefix}}, {@code {domain}} and {@code {type}}.
 */
public final class TypeTopics {

    /** No type names a topic. */
    public static final TypeTopics NONE = new TypeTopics(Map.of());

    /** An event type within its domain. */
    public record TypeName(String domain, String type) {}

    private final Map<TypeName, NameTemplate> byType;

    private TypeTopics(Map<TypeName, NameTemplate> byType) {
        this.byType = byType;
    }

    /** Throws {@link PosthornException} if one of them is not a template over prefix, domain and type. */
    public static TypeTopics of(Map<TypeName, String> topics) {
        Map<TypeName, NameTemplate> byType = new LinkedHashMap<>();
        topics.forEach((type, topic) -> byType.put(type, checked(topic)));
        return byType.isEmpty() ? NONE : new TypeTopics(byType);
    }

    /** Returns the template, or throws {@link PosthornException} if it needs more than the type of an event. */
    public static NameTemplate checked(String topic) {
        NameTemplate template = NameTemplate.ofEvents(topic);
        if (topic.isBlank() || template.needs("aggregate-type") || template.needs("tenant")) {
            throw new PosthornException("\"" + topic
                    + "\" is not the topic of an event type: it may contain {prefix}, {domain} and {type}.");
        }
        return template;
    }

    public boolean isEmpty() {
        return byType.isEmpty();
    }

    /** Returns the topic of the type of this event; empty if the type names none. */
    public Optional<String> of(Event event, String prefix) {
        if (byType.isEmpty()) {
            return Optional.empty();
        }
        TypeName name = new TypeName(event.domain(), event.type());
        return Optional.ofNullable(byType.get(name)).map(template -> filled(template, name, prefix));
    }

    /** Returns each topic that has events for this subscriber, with the domain of its events. */
    public Map<String, String> of(Subscriber subscriber, String prefix) {
        Map<String, String> topics = new TreeMap<>();
        byType.forEach((name, template) -> {
            if (isOf(subscriber.domains(), name.domain()) && isOf(subscriber.types(), name.type())) {
                topics.put(filled(template, name, prefix), name.domain());
            }
        });
        return topics;
    }

    /** Returns each topic with the domain of its events. */
    public Map<String, String> all(String prefix) {
        return byType.entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> filled(entry.getValue(), entry.getKey(), prefix),
                        entry -> entry.getKey().domain(),
                        (first, second) -> first,
                        TreeMap::new));
    }

    private static boolean isOf(Set<String> wanted, String name) {
        return wanted.isEmpty() || wanted.contains(name);
    }

    private static String filled(NameTemplate template, TypeName name, String prefix) {
        return template.fill(Map.of("prefix", prefix, "domain", name.domain(), "type", name.type()));
    }
}
