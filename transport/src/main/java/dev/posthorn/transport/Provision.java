package dev.posthorn.transport;

/** What a transport does about exchanges, topics, queues and streams that it needs. */
public enum Provision {
    /** Makes what is missing. */
    CREATE,
    /** Makes nothing, looks first, and says what is missing. */
    VERIFY,
    /** Neither makes nor looks: for accounts that may do neither. */
    OFF
}
