package dev.posthorn.transport;

import dev.posthorn.event.Event;
import java.util.function.Consumer;

/** One event on its way to the destination, and where to report what became of it. */
public interface Publication {

    Event event();

    /** 1 for the first try; every sending counts, whether it was charged or not. */
    int attempt();

    /** Whether an operator had it published again: a broker that recognises repeated events must not swallow it. */
    default boolean isRedriven() {
        return false;
    }

    /** The same on its way with another event in place of its own, such as the one in an envelope. */
    default Publication carrying(Event other) {
        return new Carried(this, other);
    }

    /** The same, with a watcher that is told the first outcome before it is settled. The watcher must neither block nor throw. */
    default Publication watched(Consumer<? super Outcome> watcher) {
        return new Watched(this, watcher);
    }

    /**
     * Reports the outcome; the first call counts, later ones are ignored. Callable from any thread, never blocks and
     * never throws.
     */
    void settle(Outcome outcome);
}
