package dev.posthorn.inbox;

/** What becomes of an event that no handler of any live member of the consumer wants. It is counted in any case. */
public enum Unhandled {
    /** It is acknowledged. */
    IGNORE,
    /** It comes again by the retry policy, as if a handler had failed; after the last attempt it is a dead letter. */
    RETRY,
    /** It is a dead letter at once, and can be redriven when there is a handler. */
    DEAD_LETTER
}
