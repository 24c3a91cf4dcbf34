package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.sql.Connection;

/** Does something about an event within the transaction that also writes how far the route has come. */
@FunctionalInterface
public interface Handler {

    /**
     * Handles one event. What was done through the connection is kept if the outcome is accepted, together with the route's
     * position, and undone otherwise; a throw is a failure.
     *
     * <p>The transaction is the caller's: it must not be committed, rolled back or closed here. Nothing of the publication
     * is settled here; the outcome is what is returned.
     */
    Outcome handle(Publication publication, Connection connection) throws Exception;
}
