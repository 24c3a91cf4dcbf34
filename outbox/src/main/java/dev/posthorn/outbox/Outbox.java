package dev.posthorn.outbox;

import dev.posthorn.event.Event;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;

/**
 * Where a service puts its events, in the transaction that made them true.
 *
 * <p>An event is emitted if and only if the transaction commits.
 *
 * <p>Any number of events costs one round trip to the database.
 *
 * <p>Events of one call take their place in the log in the order given.
 *
 * <p>Nothing is published here and no broker is waited for.
 *
 * <p>The connection stays the caller's: it is neither committed (unless {@link #commit} or {@link EmitOption#WITH_COMMIT}
 * asks for it), nor rolled back, nor closed.
 *
 * <p>After an exception that came from the database the transaction is aborted, as after any failed statement: roll it
 * back, or back to a savepoint.
 *
 * <p>Implementations are thread-safe; a connection is not.
 *
 * <p>Not guaranteed: an order between two transactions that emit the same key at the same time. A lock on the row of the
 * aggregate gives it, and so does {@link EmitOption#SERIALISED}.
 *
 * <p>Not guaranteed: that the bytes of a payload mean anything. They are stored as they are.
 */
public interface Outbox {

    /**
     * Emits these events in the connection's transaction.
     *
     * @throws NoTransactionException if the connection commits every statement by itself
     * @throws PayloadTooLargeException if a payload is over the limit; nothing was sent to the database
     * @throws DuplicateEventException if an id was emitted before and {@link EmitOption#IDEMPOTENT} was not asked for
     * @throws SchemaMissingException if the tables are not there
     * @throws EmitFailedException for everything else the database says
     */
    Emission emit(Connection connection, Collection<Event> events, EmitOption... options);

    /** Emits these events in the connection's transaction, with no option. */
    default Emission emit(Connection connection, Event... events) {
        return emit(connection, List.of(events));
    }

    /**
     * Makes this change, emits these events and commits the connection's transaction, all in one round trip.
     *
     * <p>When the call returns, the transaction is committed, and with it everything done in it before.
     *
     * <p>When the call throws, nothing is committed, except that a connection lost during the call leaves it unknown.
     *
     * <p>A change that hits no row is no error, and is committed: where the number of rows decides whether to commit,
     * execute the statement and emit after it.
     *
     * @throws NoTransactionException if the connection commits every statement by itself
     * @throws PayloadTooLargeException if a payload is over the limit; nothing was sent to the database
     * @throws DuplicateEventException if an id was emitted before and {@link EmitOption#IDEMPOTENT} was not asked for
     * @throws SchemaMissingException if the tables are not there
     * @throws EmitFailedException for everything else the database says, also about the change
     */
    Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options);

    /** Makes this change, emits these events and commits, with no option. */
    default Commit commit(Connection connection, Change change, Event... events) {
        return commit(connection, change, List.of(events));
    }
}
