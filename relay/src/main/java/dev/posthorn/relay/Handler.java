package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;

/**
 * Does something about an event within the transaction that also writes how far the route has come.
 *
 * @param <T> how the database hands out its transaction
 */
@FunctionalInterface
public interface Handler<T> {

    /**
     * Handles one event. What was done in the transaction is kept if the outcome is accepted, together with the route's
     * position, and undone otherwise; a throw is a failure.
     *
     * <p>The transaction is the caller's: it must not be committed, rolled back or closed here. Nothing of the publication
     * is settled here; the outcome is what is returned.
     */
    Outcome handle(Publication publication, T transaction) throws Exception;
}
