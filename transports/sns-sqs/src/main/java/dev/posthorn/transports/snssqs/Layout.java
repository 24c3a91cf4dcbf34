package dev.posthorn.transports.snssqs;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameRules;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a subscriber has at Amazon: the topics it is subscribed to, its queue, and one for its dead letters.
 *
 * @param topics names with {@code .fifo}
 * @param queue the same
 * @param deadLetters the same
 */
record Layout(Set<String> topics, String queue, String deadLetters) {

    private static final String SUFFIX = ".fifo";
    private static final Pattern FOREIGN = Pattern.compile("[^A-Za-z0-9_-]");
    private static final String WORDS = "letters, digits, - and _; .fifo comes behind it";
    private static final NameRules TOPIC = new NameRules("SNS", FOREIGN, 1, 256 - SUFFIX.length(), WORDS);
    private static final NameRules QUEUE = new NameRules("SQS", FOREIGN, 1, 80 - SUFFIX.length(), WORDS);

    /** Throws {@link PosthornException} if there can be no such names, or the subscriber does not say enough for them. */
    static Layout of(Names names, Subscriber subscriber) {
        Set<String> topics = new LinkedHashSet<>();
        fill(names, names.events(), subscriber).forEach(name -> topics.add(fit(TOPIC, name)));
        names.events().topics().of(subscriber, names.prefix()).keySet().forEach(name -> topics.add(fit(TOPIC, name)));
        return new Layout(
                topics,
                fit(QUEUE, only(names, names.subscribers(), subscriber)),
                fit(QUEUE, only(names, names.deadLetters(), subscriber)));
    }

    /** The topic of this event; throws {@link PosthornException} if the event lacks a part of the name. */
    static String topicOf(Names names, Event event) {
        return fit(TOPIC, names.events().fillFor(event, names.prefix()));
    }

    /** A pattern of IAM for every topic that events may go to. */
    static String anyTopic(Names names) {
        Map<String, String> parts = new HashMap<>();
        List.of("domain", "type", "aggregate-type", "tenant").forEach(part -> parts.put(part, "\u0000"));
        parts.put("prefix", names.prefix());
        String filled = withoutSuffix(names.events().fill(parts));
        StringBuilder pattern = new StringBuilder();
        for (String literal : filled.split("\u0000", -1)) {
            pattern.append(pattern.length() == 0 ? "" : "*")
                    .append(FOREIGN.matcher(literal).replaceAll("-"));
        }
        return pattern + SUFFIX;
    }

    /** Fills each template with the shortest parts there are. */
    static void addFaults(Names names, List<String> faults) {
        Map<String, String> parts = new HashMap<>(Map.of("prefix", names.prefix(), "subscriber", "s"));
        List.of("domain", "type", "aggregate-type", "tenant").forEach(part -> parts.put(part, "d"));
        addFault(TOPIC, names.events(), parts, faults);
        addFault(QUEUE, names.subscribers(), parts, faults);
        addFault(QUEUE, names.deadLetters(), parts, faults);
        names.events().topics().all(names.prefix()).keySet().forEach(name -> fit(TOPIC, name));
    }

    private static void addFault(
            NameRules rules, NameTemplate template, Map<String, String> parts, List<String> faults) {
        try {
            var unused = fit(rules, template.fill(parts));
        } catch (PosthornException impossible) {
            faults.add("names: " + impossible.getMessage());
        }
    }

    private static String fit(NameRules rules, String name) {
        return rules.fit(withoutSuffix(name)) + SUFFIX;
    }

    static String withoutSuffix(String name) {
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }

    private static String only(Names names, NameTemplate template, Subscriber subscriber) {
        Set<String> all = fill(names, template, subscriber);
        if (all.size() != 1) {
            throw new PosthornException("Subscriber " + subscriber.name() + " has one queue for all that it wants, but "
                    + template + " gives it several names: " + all + ".");
        }
        return all.iterator().next();
    }

    /** One for each wanted domain and type that the name depends on. */
    private static Set<String> fill(Names names, NameTemplate template, Subscriber subscriber) {
        Set<String> all = new LinkedHashSet<>();
        for (String domain : template.needs("domain") ? subscriber.domains() : Set.of("")) {
            for (String type : template.needs("type") ? subscriber.types() : Set.of("")) {
                all.add(template.fill(Map.of(
                        "prefix", names.prefix(), "subscriber", subscriber.name(), "domain", domain, "type", type)));
            }
        }
        if (all.isEmpty()) {
            throw new PosthornException(
                    "Subscriber " + subscriber.name() + " must say which domains and types it wants,"
                            + " because the name " + template + " depends on them.");
        }
        return all;
    }
}
