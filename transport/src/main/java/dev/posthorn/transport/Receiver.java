package dev.posthorn.transport;

import dev.posthorn.event.Event;

/** What a subscriber does with what is brought to it. */
@FunctionalInterface
public interface Receiver {

    /**
     * Takes one delivery and settles it, within this call or later, on any thread.
     *
     * <p>Called by as many threads at once as the subscriber's concurrency says, and on an ordered transport with one
     * event of a key at a time. If this throws and the delivery is not settled, it comes again, after a pause that grows
     * with each attempt.
     */
    void receive(Delivery delivery);

    /** The same for what could not be decoded. Unless overridden it goes to the transport's dead letters as it came. */
    default void undecodable(RawDelivery raw) {
        raw.settle(Verdict.reject(raw.reason()));
    }

    /**
     * Returns whether an event that the subscriber's own filter leaves out is received all the same, because another member of
     * the subscriber wants it. Called on a thread of the transport, which it must not hold up.
     */
    default boolean receivesBeyondFilter(Event event) {
        return false;
    }
}
