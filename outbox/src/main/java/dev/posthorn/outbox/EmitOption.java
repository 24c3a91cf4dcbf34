package dev.posthorn.outbox;

/** What an emit may do beyond writing its events. Each option still costs one round trip; they can be combined. */
public enum EmitOption {

    /**
     * An id that was emitted before is left as it is and reported as known, instead of failing the transaction.
     *
     * <p>Only ids are compared: the event that is there stays, also if the new one differs.
     *
     * <p>If another transaction has the same id in flight, this one waits for its end.
     */
    IDEMPOTENT,

    /**
     * Takes a lock on every key of the call before writing, held until the transaction ends.
     *
     * <p>Two transactions that emit the same key with this option are in the order in which they got the lock.
     *
     * <p>It orders nothing against transactions that emit the key without it, and does nothing for an event without a
     * key.
     *
     * <p>The keys of one call are locked in a fixed order. Two transactions that emit several times, with their keys in
     * opposite order, can still deadlock; Postgres ends one of them, which can be retried.
     */
    SERIALISED,

    /**
     * Commits the transaction in the same round trip.
     *
     * <p>When the call returns, the transaction is committed, and with it everything done in it before.
     *
     * <p>When the call throws, nothing is committed, except that a connection lost during the call leaves it unknown.
     */
    WITH_COMMIT
}
