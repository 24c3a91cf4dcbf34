package dev.posthorn.transports.rabbitmq;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the queues of a subscriber are like.
 *
 * @param type quorum queues are replicated and count deliveries; classic ones are cheaper and live on one node. Default
 *     quorum
 * @param shards how many queues a subscriber has, 1 to 16. Each is consumed by one member at a time, so this is also how
 *     many members can work at once: too low leaves members idle, too high costs queues. Default 4
 * @param competing whether all members consume a queue at once. It shares evenly, and the events of a key are then in
 *     no order. Default false
 * @param deliveryLimit how often a quorum queue delivers a message before it goes to the dead letters. A message that was
 *     fetched and not begun counts too, at each restart of a member: too low takes those for poison. Default 1,000,000
 */
public record Queues(Type type, int shards, boolean competing, int deliveryLimit) {

    /** Kinds of queues that keep messages through a restart. */
    public enum Type {
        QUORUM,
        CLASSIC
    }

    /** Four quorum queues for each subscriber, in order. */
    public static final Queues STANDARD = new Queues(Type.QUORUM, 4, false, 1_000_000);

    public Queues type(Type type) {
        return new Queues(type, shards, competing, deliveryLimit);
    }

    public Queues shards(int shards) {
        return new Queues(type, shards, competing, deliveryLimit);
    }

    public Queues competing(boolean competing) {
        return new Queues(type, shards, competing, deliveryLimit);
    }

    public Queues deliveryLimit(int deliveryLimit) {
        return new Queues(type, shards, competing, deliveryLimit);
    }

    void check(List<String> faults) {
        if (shards < 1 || shards > Routing.SLOTS) {
            faults.add("shards must be 1 to " + Routing.SLOTS + ", but is " + shards);
        }
        if (deliveryLimit < 1) {
            faults.add("delivery limit must be at least 1, but is " + deliveryLimit);
        }
    }

    /** Whether members take turns, one at a time for a queue. */
    boolean takeTurns() {
        return !competing && shards > 1;
    }

    Map<String, Object> arguments(String deadLetterExchange, String deadLetterKey) {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put("x-dead-letter-exchange", deadLetterExchange);
        arguments.put("x-dead-letter-routing-key", deadLetterKey);
        if (!competing) {
            arguments.put("x-single-active-consumer", true);
        }
        if (type == Type.QUORUM) {
            arguments.put("x-queue-type", "quorum");
            arguments.put("x-delivery-limit", deliveryLimit);
            // Only so does a message leave for the dead letters after they have it; it demands the overflow.
            arguments.put("x-dead-letter-strategy", "at-least-once");
            arguments.put("x-overflow", "reject-publish");
        }
        return arguments;
    }

    /** Of queues that are nothing but kept. */
    Map<String, Object> plainArguments() {
        return type == Type.QUORUM ? Map.of("x-queue-type", "quorum") : Map.of();
    }
}
