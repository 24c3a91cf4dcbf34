package dev.posthorn.transport;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name with holes, such as {@code {prefix}-events-{domain}}.
 *
 * <p>Immutable and thread-safe. Which names there may be is the broker's: see {@link NameRules}.
 */
public final class NameTemplate {

    private static final Pattern HOLE = Pattern.compile("\\{([^{}]*)}");
    private static final Set<String> EVENT_PARTS = Set.of("prefix", "domain", "type", "aggregate-type", "tenant");
    private static final Set<String> SUBSCRIBER_PARTS = Set.of("prefix", "subscriber", "domain", "type", "tenant");

    private final String text;
    private final TypeTopics topics;
    private final List<String> holes = new ArrayList<>();
    /** What is before each hole, and after the last: taken apart once, for names are made for each event. */
    private final List<String> between = new ArrayList<>();

    private NameTemplate(String text, Set<String> allowed, TypeTopics topics) {
        this.text = text;
        this.topics = topics;
        int from = 0;
        Matcher found = HOLE.matcher(text);
        while (found.find()) {
            holes.add(part(found.group(1)));
            between.add(text.substring(from, found.start()));
            from = found.end();
        }
        between.add(text.substring(from));
        Set<String> unknown = new HashSet<>(holes);
        unknown.removeAll(allowed);
        if (!unknown.isEmpty() || HOLE.matcher(text).replaceAll("").matches(".*[{}].*")) {
            throw new PosthornException("\"" + text + "\" is no template for a name: it may contain {"
                    + String.join("}, {", allowed.stream().sorted().toList()) + "} and no other braces.");
        }
    }

    /** Also in the words of the designs: {@code aggregate_type}, {@code event_type}, {@code subscriber_id}. */
    private static String part(String word) {
        String part = word.replace('_', '-');
        return switch (part) {
            case "event-type" -> "type";
            case "subscriber-id" -> "subscriber";
            default -> part;
        };
    }

    /** Where rejected events go: over all parts that there are. */
    static NameTemplate ofDeadLetters(String text) {
        Set<String> all = new HashSet<>(EVENT_PARTS);
        all.addAll(SUBSCRIBER_PARTS);
        return new NameTemplate(text, all, TypeTopics.NONE);
    }

    /** Where events go: over prefix, domain, type, aggregate-type and tenant. */
    public static NameTemplate ofEvents(String text) {
        return new NameTemplate(text, EVENT_PARTS, TypeTopics.NONE);
    }

    /** What belongs to a subscriber: over prefix, subscriber, domain, type and tenant. */
    public static NameTemplate ofSubscribers(String text) {
        return new NameTemplate(text, SUBSCRIBER_PARTS, TypeTopics.NONE);
    }

    /** The same template, for all events whose type does not name a topic. */
    NameTemplate except(TypeTopics topics) {
        return new NameTemplate(text, EVENT_PARTS, topics);
    }

    /** The topics of event types that name one. */
    public TypeTopics topics() {
        return topics;
    }

    /** Whether the name depends on this part. */
    public boolean needs(String part) {
        return holes.contains(part);
    }

    /** Fills every hole; throws {@link PosthornException} if a part is missing. */
    public String fill(Map<String, String> parts) {
        StringBuilder name = new StringBuilder(between.get(0));
        for (int i = 0; i < holes.size(); i++) {
            String value = parts.get(holes.get(i));
            if (value == null) {
                throw new PosthornException(
                        "The name \"" + text + "\" needs a " + holes.get(i) + ", and there is none.");
            }
            name.append(value).append(between.get(i + 1));
        }
        return name.toString();
    }

    /**
     * The name for this event: the topic of its type if that names one, else this template.
     *
     * <p>Throws {@link PosthornException} if the event lacks a part that the name needs.
     */
    public String fillFor(Event event, String prefix) {
        Optional<String> topic = topics.of(event, prefix);
        if (topic.isPresent()) {
            return topic.get();
        }
        Map<String, String> parts = new HashMap<>();
        parts.put("prefix", prefix);
        parts.put("domain", event.domain());
        parts.put("type", event.type());
        event.aggregateType().ifPresent(value -> parts.put("aggregate-type", value));
        event.tenant().ifPresent(value -> parts.put("tenant", value));
        return fill(parts);
    }

    /** A regular expression for every name with these parts, whatever the others are. */
    public Pattern matching(Map<String, String> parts, NameRules rules) {
        StringBuilder expression = new StringBuilder(literal(between.get(0), rules));
        for (int i = 0; i < holes.size(); i++) {
            String value = parts.get(holes.get(i));
            expression.append(value == null ? ".+" : literal(value, rules)).append(literal(between.get(i + 1), rules));
        }
        return Pattern.compile(expression.toString());
    }

    private static String literal(String part, NameRules rules) {
        return part.isEmpty() ? "" : Pattern.quote(rules.foreign().matcher(part).replaceAll("-"));
    }

    @Override
    public String toString() {
        return text;
    }
}
