package dev.posthorn.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Port: one transaction for what handlers do and for the flush that says so. Throws {@link StoreException}. */
public interface HandlingStore {

    /** What the transaction says in the end about the lanes whose events were handled. */
    record Result(String incarnation, List<CheckpointStore.LaneFlush> lanes) {

        /** Nothing was handled, and nothing is written. */
        public static final Result NOTHING = new Result("", List.of());
    }

    /** What happens within the transaction; may be run once only. */
    interface Work {
        Result run(Connection connection) throws SQLException;
    }

    /**
     * Begins a transaction, does the work in it, writes the flush that it answers, fenced as any flush, and commits.
     *
     * @return the lanes that were lost; if there is any, nothing at all was committed
     */
    Set<Integer> handle(String relay, Work work);
}
