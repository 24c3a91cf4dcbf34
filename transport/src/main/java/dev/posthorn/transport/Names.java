package dev.posthorn.transport;

/**
 * What a transport calls its destinations, before the broker's rules are applied.
 *
 * @param prefix keeps several installations apart on one broker
 * @param events where events of a kind go
 * @param subscribers what belongs to one subscriber
 * @param deadLetters where rejected ones go
 */
public record Names(String prefix, NameTemplate events, NameTemplate subscribers, NameTemplate deadLetters) {

    /** {@code {prefix}-events-{domain}}, {@code {prefix}-{subscriber}-{domain}} and {@code {prefix}-dlq-{domain}}. */
    public static Names withPrefix(String prefix) {
        return new Names(
                prefix,
                NameTemplate.ofEvents("{prefix}-events-{domain}"),
                NameTemplate.ofSubscribers("{prefix}-{subscriber}-{domain}"),
                NameTemplate.ofEvents("{prefix}-dlq-{domain}"));
    }

    public Names events(String template) {
        return new Names(prefix, NameTemplate.ofEvents(template), subscribers, deadLetters);
    }

    /** The same, with topics for event types that name one. */
    public Names topics(TypeTopics topics) {
        return new Names(prefix, events.except(topics), subscribers, deadLetters);
    }

    public Names subscribers(String template) {
        return new Names(prefix, events, NameTemplate.ofSubscribers(template), deadLetters);
    }

    public Names deadLetters(String template) {
        return new Names(prefix, events, subscribers, NameTemplate.ofEvents(template));
    }
}
