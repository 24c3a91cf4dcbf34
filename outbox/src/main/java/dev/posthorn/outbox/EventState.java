package dev.posthorn.outbox;

/** Where an event stands on one route. */
public enum EventState {

    /** Committed, and its turn has not come. */
    PENDING,

    /** Did not go through at least once and is tried again by itself. */
    RETRYING,

    /** Waits behind an earlier event of its key. */
    PARKED,

    /** Asked to be published later. */
    DELAYED,

    /** The destination confirmed it. */
    SENT,

    /** Will not be tried again unless an operator redrives it. */
    FAILED
}
