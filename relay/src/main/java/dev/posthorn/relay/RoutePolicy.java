package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.transport.RetryPolicy;
import java.util.Map;

/**
 * How a route treats events that do not go through.
 *
 * @param retry for every type without a policy of its own
 * @param retryByType by event type
 * @param afterDead what happens to the key of an event that failed for good
 */
public record RoutePolicy(RetryPolicy retry, Map<String, RetryPolicy> retryByType, AfterDead afterDead) {

    /** What becomes of a key once one of its events is dead. */
    public enum AfterDead {
        /** The key goes on without it. */
        CONTINUE,
        /** The key waits until someone redrives or discards the event. */
        HOLD
    }

    public RoutePolicy {
        retryByType = Map.copyOf(retryByType);
    }

    public static RoutePolicy standard() {
        return new RoutePolicy(RetryPolicy.ladder(), Map.of(), AfterDead.CONTINUE);
    }

    public RoutePolicy withRetry(RetryPolicy policy) {
        return new RoutePolicy(policy, retryByType, afterDead);
    }

    public RoutePolicy withAfterDead(AfterDead choice) {
        return new RoutePolicy(retry, retryByType, choice);
    }

    RetryPolicy retryFor(Event event) {
        return retryByType.getOrDefault(event.type(), retry);
    }
}
