package dev.posthorn.transport;

import java.util.List;

/** The sending side of a transport. */
public interface Publisher extends AutoCloseable {

    /**
     * Starts publishing these events, in this order, and returns without waiting for the destination.
     *
     * <p>Every publication is settled exactly once by the transport's own time-out at the latest, on any thread, also
     * from within this call. The caller limits how many are unsettled. Several threads may call this. Must not throw
     * for what went wrong with an event or a connection: that is an {@link Outcome}.
     */
    void publish(List<? extends Publication> publications);

    /** Stops; what is unsettled is settled as {@link Outcome.Unknown} or {@link Outcome.Unavailable}. */
    @Override
    void close();
}
