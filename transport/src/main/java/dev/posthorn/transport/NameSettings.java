package dev.posthorn.transport;

import dev.posthorn.event.PosthornException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names at a broker as a configuration gives them: templates in the place of the transport's own. Immutable.
 *
 * @param templates by what they name: {@link #EVENTS}, {@link #SUBSCRIBERS}, {@link #DEAD_LETTERS}, {@link #ROUTING_KEY}
 * @param topics of event types that name one
 */
public record NameSettings(Map<String, String> templates, TypeTopics topics) {

    /** Exchanges, topics and streams. */
    public static final String EVENTS = "events";
    /** Queues, subscriptions and groups. */
    public static final String SUBSCRIBERS = "subscribers";
    /** Where rejected events go. */
    public static final String DEAD_LETTERS = "dead-letters";
    /** Of RabbitMQ. */
    public static final String ROUTING_KEY = "routing-key";

    /** The transport's own names. */
    public static final NameSettings STANDARD = new NameSettings(Map.of());

    private static final List<String> SCHEMES =
            List.of("amqp:", "amqps:", "kafka:", "redis:", "rediss:", "sns-sqs:", "pubsub:");

    public NameSettings {
        templates = Map.copyOf(templates);
    }

    public NameSettings(Map<String, String> templates) {
        this(templates, TypeTopics.NONE);
    }

    /** The same, with topics for event types that name one. Transports without topics ignore them. */
    public NameSettings topics(TypeTopics topics) {
        return new NameSettings(templates, topics);
    }

    /** Whether the transport at this address takes templates. */
    public static boolean areTakenBy(String address) {
        return SCHEMES.stream().anyMatch(address::startsWith);
    }

    /** Throws {@link PosthornException} if the transport at this address can not have them. */
    public void checkFor(String address) {
        if (!templates.isEmpty() && !areTakenBy(address)) {
            throw new PosthornException(
                    "Names can be chosen for RabbitMQ, Kafka, Redis Streams, SNS/SQS and Pub/Sub, and not"
                            + " for this transport.");
        }
        if (templates.containsKey(ROUTING_KEY) && !address.startsWith("amqp")) {
            throw new PosthornException("Only RabbitMQ has routing keys.");
        }
    }

    /** These names, with the templates that were given. */
    public Names applied(Names names) {
        Names all = names;
        if (templates.containsKey(EVENTS)) {
            all = all.events(template(EVENTS));
        }
        if (templates.containsKey(SUBSCRIBERS)) {
            all = all.subscribers(template(SUBSCRIBERS));
        }
        if (templates.containsKey(DEAD_LETTERS)) {
            all = new Names(
                    all.prefix(), all.events(), all.subscribers(), NameTemplate.ofDeadLetters(template(DEAD_LETTERS)));
        }
        return topics.isEmpty() ? all : all.topics(topics);
    }

    /** The template that was given; only if there is one. */
    public String template(String of) {
        return String.valueOf(templates.get(of));
    }

    public boolean has(String of) {
        return templates.containsKey(of);
    }

    /** For {@link DestinationAddress}: empty, or what differs from the standard. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(templates)
                .forEach((of, template) ->
                        text.append(", ").append(of).append(' ').append(template));
        return text.toString();
    }
}
