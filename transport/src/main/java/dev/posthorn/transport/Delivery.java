package dev.posthorn.transport;

import dev.posthorn.event.Event;

/** An event that was brought to a subscriber. */
public interface Delivery extends Receipt {

    /** Immutable, and the same object for every subscriber within a process. */
    Event event();
}
