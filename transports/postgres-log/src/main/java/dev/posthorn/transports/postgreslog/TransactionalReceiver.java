package dev.posthorn.transports.postgreslog;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;

/** What a subscriber does whose effects are in the log's own database. */
@FunctionalInterface
public interface TransactionalReceiver {

    /**
     * Handles one event, and says what became of it.
     *
     * <p>If the verdict is done, what was written through the connection is committed together with the subscriber's
     * position: exactly once. Otherwise, and after a throw, it is undone, and only it.
     *
     * <p>The transaction is shared with other events: it must not be committed, rolled back or closed here, and settings of
     * its session must be as they were. Effects elsewhere, such as a call to another service, may happen more than once.
     * Called by as many threads at once as the subscriber's concurrency says, with one event of a key at a time.
     *
     * @param attempt 1 for the first time
     */
    Verdict receive(Event event, int attempt, Connection connection) throws Exception;
}
