package dev.posthorn.transport;

import java.util.List;

/** The sending side of a transport. */
public interface Publisher extends AutoCloseable {

    /**
     * Starts publishing these events, in this order, and returns without waiting for the destination.
     *
     * <p>Every publication is settled exactly once, on any thread, also from within this call. The transport's own time-out
     * starts when an event is sent. An event that waits for its turn is not timed out while others go through; once nothing
     * does, it is unavailable. The caller limits how many are unsettled. Several threads may call this. Must not throw
     * for what went wrong with an event or a connection: that is an {@link Outcome}.
     */
    void publish(List<? extends Publication> publications);

    /**
     * How many events of one key may be handed over together: a run. 1 unless this publisher keeps the order of a run
     * whatever fails: it delivers the events of a key in one call one after the other, and once one is not
     * accepted, which it says after it has settled those before it, none behind it arrives in this call, and each is
     * settled with any outcome but accepted. Not even a crash may leave a later one at the destination without the earlier ones.
     *
     * <p>What was settled behind the first that did not go through is charged nothing and comes again in a later run.
     */
    default int longestRun() {
        return 1;
    }

    /** Stops; what is unsettled is settled as {@link Outcome.Unknown} or {@link Outcome.Unavailable}. */
    @Override
    void close();
}
