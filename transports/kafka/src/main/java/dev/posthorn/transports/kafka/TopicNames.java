package dev.posthorn.transports.kafka;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.NameRules;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What topics and groups are called on Kafka. */
final class TopicNames {

    private static final NameRules RULES = new NameRules(
            "Kafka", Pattern.compile("[^a-zA-Z0-9._-]"), 1, 249, "letters, digits and . _ -, but not . and .. alone");
    private static final Pattern HOLE = Pattern.compile("\\{([^{}]*)}");
    private static final String UNKNOWN = "unknown";

    private final Names names;
    private final Pattern topicWithDomain;
    /** By domain, where nothing else counts: names are made once and not for each event. */
    private final Map<String, String> byDomain = new ConcurrentHashMap<>();

    private final boolean domainOnly;

    TopicNames(Names names) {
        this.names = names;
        this.domainOnly = names.events().topics().isEmpty()
                && Stream.of("type", "aggregate-type", "tenant")
                        .noneMatch(part -> names.events().needs(part));
        this.topicWithDomain = withDomain(names.events().toString());
        Map<String, String> shortest = new HashMap<>();
        Stream.of("domain", "type", "aggregate-type", "tenant").forEach(part -> shortest.put(part, "x"));
        shortest.put("prefix", names.prefix());
        fit(names.events().fill(shortest));
        fit(names.deadLetters().fill(shortest));
        names.events().topics().all(names.prefix()).keySet().forEach(TopicNames::fit);
    }

    private static String fit(String name) {
        String fitted = RULES.fit(name);
        if (fitted.equals(".") || fitted.equals("..")) {
            throw new PosthornException("\"" + fitted + "\" can not be a name on Kafka (" + RULES.words() + ").");
        }
        return fitted;
    }

    /** Throws {@link PosthornException} if there is no such name for this event. */
    String topicOf(Event event) {
        if (!domainOnly) {
            return filled(event);
        }
        String known = byDomain.get(event.domain());
        return known != null ? known : byDomain.computeIfAbsent(event.domain(), any -> filled(event));
    }

    private String filled(Event event) {
        return fit(names.events().fillFor(event, names.prefix()));
    }

    /** The group of a subscriber: one for all its domains, so that it has one place to begin and one to look at. */
    String groupOf(Subscriber subscriber) {
        return fit(names.prefix() + "-" + subscriber.name());
    }

    /** All topics of this subscriber by name, or empty if their names can not be known in advance. */
    Optional<Set<String>> topicsOf(Subscriber subscriber) {
        NameTemplate template = names.events();
        boolean unknowable = template.needs("aggregate-type")
                || template.needs("tenant")
                || (template.needs("domain") && subscriber.domains().isEmpty())
                || (template.needs("type") && subscriber.types().isEmpty());
        if (unknowable) {
            return Optional.empty();
        }
        Set<String> topics = new TreeSet<>();
        for (String domain : orAny(subscriber.domains())) {
            for (String type : orAny(subscriber.types())) {
                topics.add(fit(template.fill(Map.of("prefix", names.prefix(), "domain", domain, "type", type))));
            }
        }
        namedTopics(subscriber).forEach(topics::add);
        return Optional.of(topics);
    }

    /** Those that event types of this subscriber name. */
    private Stream<String> namedTopics(Subscriber subscriber) {
        return names.events().topics().of(subscriber, names.prefix()).keySet().stream()
                .map(TopicNames::fit);
    }

    private static Set<String> orAny(Set<String> values) {
        return values.isEmpty() ? Set.of(UNKNOWN) : values;
    }

    /** Matches every topic that may have events for this subscriber. */
    Pattern patternOf(Subscriber subscriber) {
        Set<String> domains = subscriber.domains();
        Stream<Pattern> templates = domains.isEmpty()
                ? Stream.of(matching(Map.of("prefix", names.prefix())))
                : domains.stream().map(domain -> matching(Map.of("prefix", names.prefix(), "domain", domain)));
        return Pattern.compile(Stream.concat(
                        templates.map(Pattern::pattern), namedTopics(subscriber).map(Pattern::quote))
                .collect(Collectors.joining("|")));
    }

    private Pattern matching(Map<String, String> parts) {
        return names.events().matching(parts, RULES);
    }

    /**
     * Where the dead letters of this topic go. The domain is the topic's: what a message says of itself must not decide
     * which topics there are.
     */
    String deadLetterTopic(String topic, Map<String, String> headers) {
        Map<String, String> parts = new HashMap<>();
        parts.put("prefix", names.prefix());
        parts.put("domain", domainOf(topic).orElse(UNKNOWN));
        parts.put("type", headers.getOrDefault(EventMessage.TYPE, UNKNOWN));
        parts.put("aggregate-type", headers.getOrDefault(EventMessage.AGGREGATE_TYPE, UNKNOWN));
        parts.put("tenant", headers.getOrDefault(EventMessage.TENANT, UNKNOWN));
        return fit(names.deadLetters().fill(parts));
    }

    private Optional<String> domainOf(String topic) {
        Matcher found = topicWithDomain.matcher(topic);
        return found.matches() && found.groupCount() > 0
                ? Optional.of(found.group(1))
                : Optional.ofNullable(
                        names.events().topics().all(names.prefix()).get(topic));
    }

    private Pattern withDomain(String template) {
        StringBuilder expression = new StringBuilder();
        Matcher hole = HOLE.matcher(template);
        int from = 0;
        boolean captured = false;
        while (hole.find()) {
            expression.append(literal(template.substring(from, hole.start())));
            if (hole.group(1).equals("prefix")) {
                expression.append(literal(names.prefix()));
            } else if (hole.group(1).equals("domain") && !captured) {
                expression.append("(.+)");
                captured = true;
            } else {
                expression.append(".+");
            }
            from = hole.end();
        }
        return Pattern.compile(
                expression.append(literal(template.substring(from))).toString());
    }

    private static String literal(String part) {
        return part.isEmpty() ? "" : Pattern.quote(RULES.foreign().matcher(part).replaceAll("-"));
    }
}
