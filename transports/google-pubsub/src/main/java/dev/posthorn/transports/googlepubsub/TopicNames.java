package dev.posthorn.transports.googlepubsub;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameRules;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What topics and subscriptions are called. All names that this gives have the project before them, as Pub/Sub wants it. */
final class TopicNames {

    /** Stands for the domain where one topic has all. */
    static final String ANY = "all";

    private static final NameRules RULES =
            new NameRules("Pub/Sub", Pattern.compile("[^A-Za-z0-9._~+%-]"), 3, 255, "letters, digits and - . _ ~ + %");

    /** In no domain and no subscriber's name, so that nothing else is called like this. */
    private static final String MARK = "~every~";

    /** Between a domain and the topic that one of its types names; in no domain. */
    private static final String OWN_TOPIC = "\0";

    private final String project;
    private final Names names;
    private final Pattern events;
    private final Pattern deadLetters;

    TopicNames(String project, Names names) {
        this.project = project;
        this.names = names;
        this.events = pattern(names.events());
        this.deadLetters = pattern(names.deadLetters());
    }

    /** A regular expression whose group is the domain. */
    private Pattern pattern(NameTemplate template) {
        String hole = "\0";
        String filled = template.fill(Map.of("prefix", names.prefix(), "domain", hole));
        List<String> quoted = new ArrayList<>();
        for (String part : filled.split(hole, -1)) {
            quoted.add(Pattern.quote(RULES.foreign().matcher(part).replaceAll("-")));
        }
        return Pattern.compile(String.join("(.+)", quoted));
    }

    static void addFaults(Names names, List<String> faults) {
        boolean perDomain = names.events().needs("domain");
        for (NameTemplate template : List.of(names.events(), names.subscribers(), names.deadLetters())) {
            List<String> others = List.of("type", "aggregate-type", "tenant").stream()
                    .filter(template::needs)
                    .toList();
            if (!others.isEmpty()) {
                faults.add("names: \"" + template + "\" must do with prefix, domain and subscriber, without " + others);
            } else {
                addFault(template, names.prefix(), faults);
            }
        }
        if (!names.subscribers().needs("subscriber")
                || (perDomain && !names.subscribers().needs("domain"))) {
            faults.add(
                    "names: \"" + names.subscribers() + "\" would be one subscription of several; it needs {subscriber}"
                            + (perDomain ? " and {domain}" : ""));
        }
        names.events().topics().all(names.prefix()).keySet().forEach(TopicNames::fit);
    }

    /** With parts that are long enough by themselves; whether those of a subscriber are is seen when it subscribes. */
    private static void addFault(NameTemplate template, String prefix, List<String> faults) {
        try {
            String unused = fit(template.fill(Map.of("prefix", prefix, "domain", "ddd", "subscriber", "sss")));
        } catch (PosthornException impossible) {
            faults.add("names: " + impossible.getMessage());
        }
    }

    private static String fit(String name) {
        String fitted = RULES.fit(name);
        if (!Character.isLetter(fitted.charAt(0))
                || fitted.toLowerCase(Locale.ROOT).startsWith("goog")) {
            throw new PosthornException(
                    "\"" + fitted
                            + "\" can not be a name on Pub/Sub: it must begin with a letter and not with goog. Choose another prefix.");
        }
        return fitted;
    }

    String project() {
        return "projects/" + project;
    }

    boolean isOneTopic() {
        return !names.events().needs("domain");
    }

    /** The domain as names know it: with the topic of the event's type behind it if the type names one. */
    String domainOf(Event event) {
        return names.events()
                .topics()
                .of(event, names.prefix())
                .map(topic -> event.domain() + OWN_TOPIC + topic)
                .orElseGet(() -> isOneTopic() ? ANY : event.domain());
    }

    private static Optional<String> ownTopic(String domain) {
        int mark = domain.indexOf(OWN_TOPIC);
        return mark < 0 ? Optional.empty() : Optional.of(domain.substring(mark + 1));
    }

    /** The topics that types of this subscriber name, each behind its domain. */
    Set<String> ownTopicsOf(Subscriber subscriber) {
        return names.events().topics().of(subscriber, names.prefix()).entrySet().stream()
                .map(topic -> topic.getValue() + OWN_TOPIC + topic.getKey())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Throws {@link PosthornException} if there can be no such topic. */
    String topicOf(String domain) {
        return topic(ownTopic(domain).map(TopicNames::fit).orElseGet(() -> fill(names.events(), domain, "")));
    }

    String deadLettersOf(String domain) {
        return topic(fill(names.deadLetters(), domain, ""));
    }

    /** What keeps the dead letters: a topic alone would drop them. */
    String keeperOf(String domain) {
        return subscription(fill(names.deadLetters(), domain, ""));
    }

    String subscriptionOf(String subscriber, String domain) {
        String name = fill(names.subscribers(), domain, subscriber);
        return subscription(
                ownTopic(domain).map(topic -> fit(name + "-" + topic)).orElse(name));
    }

    private static String filled(NameTemplate template, Map<String, String> parts) {
        return fit(template.fill(parts));
    }

    private String fill(NameTemplate template, String domain, String subscriber) {
        int mark = domain.indexOf(OWN_TOPIC);
        String plain = mark < 0 ? domain : domain.substring(0, mark);
        return filled(template, Map.of("prefix", names.prefix(), "domain", plain, "subscriber", subscriber));
    }

    /** The domains that are certain. Empty: all that there will be. */
    Set<String> domainsOf(Subscriber subscriber) {
        Set<String> domains = new TreeSet<>(isOneTopic() ? Set.of(ANY) : subscriber.domains());
        if (!domains.isEmpty()) {
            domains.addAll(ownTopicsOf(subscriber));
        }
        return domains;
    }

    /** The domain of a topic of events, with hyphens for what topics can not be called; empty if it is another one. */
    Optional<String> domainOfTopic(String topic) {
        String name = topic.substring(topic.lastIndexOf('/') + 1);
        Matcher found = events.matcher(name);
        return !isOneTopic() && found.matches() && !deadLetters.matcher(name).matches()
                ? Optional.of(found.group(1))
                : Optional.empty();
    }

    /** Has a subscription for each subscriber of all domains, and never a message. */
    String register() {
        return topic(fit(names.prefix() + "~subscribers"));
    }

    String entryOf(String subscriber) {
        return subscription(fit(names.prefix() + MARK + subscriber));
    }

    /** Whose entry in the register this is. */
    static Optional<String> subscriberOfEntry(String subscription) {
        int mark = subscription.indexOf(MARK);
        return mark < 0 ? Optional.empty() : Optional.of(subscription.substring(mark + MARK.length()));
    }

    private String topic(String name) {
        return project() + "/topics/" + name;
    }

    private String subscription(String name) {
        return project() + "/subscriptions/" + name;
    }
}
