package dev.posthorn.transports.ipc;

/** What becomes of an event that no subscriber wants. */
public enum Unroutable {
    /** It has failed, and is tried again. */
    FAIL,
    /** It counts as delivered. */
    ACCEPT
}
