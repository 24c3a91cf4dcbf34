package dev.posthorn.transport;

import java.util.Set;

/** A transport that can tell whether anybody subscribes to what is published through it. */
public interface SubscriberCheck {

    /**
     * Of these destinations, those to which nobody subscribes. One that is missing is left out.
     *
     * <p>Waits for the broker. Throws {@link dev.posthorn.event.PosthornException} if the broker does not say, or does not
     * answer. Thread-safe.
     *
     * @param destinations that carry events, as they are named at the broker
     */
    Set<String> unsubscribed(Set<String> destinations);
}
