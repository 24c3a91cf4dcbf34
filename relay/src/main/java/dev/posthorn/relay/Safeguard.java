package dev.posthorn.relay;

/**
 * The rules on which "nothing lost, nothing out of order" rests, by name.
 *
 * <p>All are on, always. They are named so that the simulation can switch each off alone and show that it is needed.
 */
enum Safeguard {
    /** A key's next event is not sent before the one in flight is answered. */
    ONE_IN_FLIGHT_PER_KEY,
    /** Events of a key are sent together only if one read brought them. */
    A_RUN_IS_OF_ONE_READ,
    /** A key goes on past a dead event only after its FAILED row is committed. */
    DEAD_IS_COMMITTED_FIRST,
    /** A checkpoint passes an event only if it is confirmed or its row is in the same transaction. */
    CHECKPOINT_PASSES_ONLY_RESOLVED,
    /** While a key is blocked, its events are published from its own cursor only. */
    BLOCKED_KEY_PUBLISHES_FROM_ITS_CURSOR,
    /** A key returns to its lane only in a flush whose checkpoint equals what the key has finished. */
    KEY_RETURNS_AT_ITS_CHECKPOINT,
    /** The range of a key that is held stays where its dead event is, so that a redrive finds it there. */
    HELD_KEYS_STAND_STILL,
    /** When late rows overflow a page, fresh rows wait until all of them are read. */
    LATE_ROWS_BEFORE_FRESH,
    /** Late rows are paged as of one moment. */
    LATE_PAGES_ARE_PINNED,
    /** What was read under another incarnation of the database is thrown away. */
    INCARNATION_IS_CHECKED,
    /** Whether a route publishes is known before the first event of a lane that was loaded. */
    THE_MODE_COMES_WITH_THE_LANES,
    /** Lanes that a flush took changes from are thrown away whatever the flush throws. */
    ANY_FAULT_OF_A_FLUSH_IS_A_DOUBT,
    /** Lanes are thrown away whatever their read throws. */
    ANY_FAULT_OF_A_READ_IS_A_DOUBT,
    /** Lanes are thrown away whatever the transaction of a handler throws. */
    ANY_FAULT_OF_HANDLING_IS_A_DOUBT,
    /** All lanes are thrown away if something throws while it changes them. */
    ANY_FAULT_UNDER_THE_LOCK_IS_A_DOUBT,
    /** A publication whose answer gets lost within the relay does not count as in flight any more. */
    LOST_ANSWERS_ARE_COUNTED,
    /** A lost answer is charged to an event only while others go through. */
    ONLY_WHAT_FAILS_ALONE_IS_CHARGED,
    /** The breaker opens if nothing is answered for long. */
    SILENCE_OPENS_THE_BREAKER,
    /** An answer to a later publication ends the silence, even if one of before stays lost. */
    ANSWERS_END_THE_SILENCE,
    /** While the breaker is open, the next probe waits for the outcome of the last. */
    ONE_PROBE_AT_A_TIME,
    /** The probe is another event each time, as long as there is one. */
    PROBES_ROTATE,
    /** After an outage a few are sent first. */
    A_DESTINATION_RECOVERS_SLOWLY
}
