package dev.posthorn.inbox;

/**
 * Where handlers get what they work in. Every {@link Inbox} is one; an inbox that keeps its marks elsewhere takes any. Thread-safe.
 *
 * @param <T> what a handler works in, such as a connection in a transaction
 */
public interface Units<T> {

    /** Begins what handlers work in. Throws {@link InboxException} if it can not be reached. */
    UnitOfWork<T> begin();

    /** What a failure of a handler tells about what it works in. */
    enum Trouble {
        /** What handlers work in is out of reach: not the event's fault, and nothing is charged to it. */
        OUTAGE,
        /** It may pass by itself, such as a deadlock. */
        PASSING,
        /** It has to do with the event or the handler. */
        LASTING
    }

    /** Judges what a handler threw. */
    Trouble troubleOf(Throwable failure);
}
