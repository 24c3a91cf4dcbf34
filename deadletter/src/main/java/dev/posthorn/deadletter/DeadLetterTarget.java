package dev.posthorn.deadletter;

/** Where dead letters are kept. Thread-safe. */
@FunctionalInterface
public interface DeadLetterTarget {

    /** Stands for the transport's own dead letters, to which the delivery is rejected. */
    DeadLetterTarget TRANSPORT = letter -> {
        throw new UnsupportedOperationException("rejected deliveries are kept by the transport");
    };

    /**
     * Keeps it durably before it returns. Throws if it could not, and then another target may have it. The same one may come
     * again after a crash; it is kept once.
     */
    void keep(DeadLetter letter);
}
