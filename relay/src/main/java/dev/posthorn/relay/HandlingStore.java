package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.List;
import java.util.Set;

/**
 * Port: one transaction for what handlers do and for the flush that says so.
 *
 * @param <T> how the database hands out its transaction
 */
public interface HandlingStore<T> {

    /** What the transaction says in the end about the lanes whose events were handled. */
    record Result(String incarnation, List<CheckpointStore.LaneFlush> lanes) {

        /** Nothing was handled, and nothing is written. */
        public static final Result NOTHING = new Result("", List.of());
    }

    /** The open transaction. */
    interface Transaction {
        /** Calls the handler, and undoes what it did unless the event is accepted. What it throws is a failure. */
        Outcome handle(Publication publication);
    }

    /** What happens within the transaction. */
    interface Work {
        Result run(Transaction transaction);
    }

    /**
     * Begins a transaction, does the work in it, writes the flush that it answers, fenced as any flush, and commits.
     *
     * <p>Throws {@link StoreException} when the outcome is not known, and {@link RolledBackException} when the database rolled
     * it back because of what was done in it. Whatever the work throws rolls it back, too.
     *
     * @return the lanes that were lost; if there is any, nothing at all was committed
     */
    Set<Integer> handle(String relay, Handler<T> handler, Work work);
}
