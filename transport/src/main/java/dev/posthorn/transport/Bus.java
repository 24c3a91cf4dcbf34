package dev.posthorn.transport;

import java.time.Duration;

/** A transport with a receiving side. Every subscriber gets every event; the members of one subscriber share them. */
public interface Bus extends Transport {

    /**
     * Adds a member to the subscriber and starts handing events to the receiver, until the subscription is closed.
     *
     * <p>Connects by itself, and again whenever the connection is lost: an absent broker is trouble in the {@link
     * Subscription#status status}, not an exception. Throws {@link dev.posthorn.event.PosthornException} if the
     * subscriber's names are not possible on this transport.
     *
     * <p>Which events a new subscriber begins with is the transport's own: those published from now on, or those still
     * kept. Once this has returned and the broker could be reached, no event published afterwards is missed.
     */
    Subscription subscribe(Subscriber subscriber, Receiver receiver);

    /**
     * How long the broker lets a subscriber keep an event unsettled before it brings it again, though the transport extends
     * that while a handler runs; zero if it has no such time. Handlers should take less than half of it.
     */
    Duration ackDeadline();
}
