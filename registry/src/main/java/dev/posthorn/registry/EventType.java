package dev.posthorn.registry;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.TypeTopics;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One type of events, in one version.
 *
 * @param version of its payload, from 1 on; an event says it in the header {@value #VERSION_HEADER}, and without one the
 *     newest counts
 * @param aggregateType what its events are about, which then must have an id too; null: anything or nothing
 * @param policy what differs for it from the route and from the registry
 */
public record EventType(
        String domain, String type, int version, @Nullable String aggregateType, Contract contract, Policy policy) {

    /** The header by which an event says its version. */
    public static final String VERSION_HEADER = "event-version";

    /**
     * What differs for a type.
     *
     * @param retry when a failed publish is tried again; empty: as the route has it
     * @param mode how strict the check is; empty: as the registry has it
     * @param topic where its events are published; empty: as the transport names its topics
     */
    public record Policy(Optional<RetryPolicy> retry, Optional<Mode> mode, Optional<String> topic) {

        public static final Policy NONE = new Policy(Optional.empty(), Optional.empty(), Optional.empty());
    }

    public EventType {
        if (domain.isBlank() || type.isBlank() || version < 1) {
            throw new PosthornException("An event type needs a domain, a type and a version of 1 at least, but has \""
                    + domain + "\", \"" + type + "\" and " + version + ".");
        }
    }

    /** Version 1 of a type, about anything, with any payload. */
    public static EventType of(String domain, String type) {
        return new EventType(domain, type, 1, null, Contract.ANY, Policy.NONE);
    }

    public EventType version(int number) {
        return new EventType(domain, type, number, aggregateType, contract, policy);
    }

    /** Its events are about such an aggregate. */
    public EventType aggregate(String name) {
        return new EventType(domain, type, version, name, contract, policy);
    }

    public EventType payload(Contract payload) {
        return new EventType(domain, type, version, aggregateType, payload, policy);
    }

    public EventType retry(RetryPolicy retry) {
        return new EventType(
                domain,
                type,
                version,
                aggregateType,
                contract,
                new Policy(Optional.of(retry), policy.mode(), policy.topic()));
    }

    public EventType mode(Mode mode) {
        return new EventType(
                domain,
                type,
                version,
                aggregateType,
                contract,
                new Policy(policy.retry(), Optional.of(mode), policy.topic()));
    }

    /** Its events are published to this topic, which may contain {@code {prefix}}, {@code {domain}} and {@code {type}}. */
    public EventType topic(String topic) {
        var unused = TypeTopics.checked(topic);
        return new EventType(
                domain,
                type,
                version,
                aggregateType,
                contract,
                new Policy(policy.retry(), policy.mode(), Optional.of(topic)));
    }

    /** Such as {@code orders/order.placed version 1}. */
    public String name() {
        return domain + "/" + type + " version " + version;
    }
}
