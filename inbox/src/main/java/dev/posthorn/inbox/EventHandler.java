package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Verdict;

/**
 * Does something about an event.
 *
 * @param <T> what it works in
 */
@FunctionalInterface
public interface EventHandler<T> {

    /**
     * Handles one event. What was done in the transaction, and what was emitted in it, is kept if the verdict is done, and
     * undone otherwise. A throw is a retry by policy.
     *
     * <p>The transaction is the caller's: it must not be committed, rolled back or closed here. Calls for events of one key
     * come one after the other where the transport keeps order, others at the same time.
     */
    Verdict handle(Event event, T transaction) throws Exception;

    /** What a handler does that either works or throws. */
    interface Effect<T> {
        void apply(Event event, T transaction) throws Exception;
    }

    /** Done unless it throws. */
    static <T> EventHandler<T> of(Effect<T> effect) {
        return (event, transaction) -> {
            effect.apply(event, transaction);
            return Verdict.done();
        };
    }
}
