package dev.posthorn.transports.redisstreams;

/** Which events a subscriber begins with that was never there before. */
public enum Start {
    /** The oldest that are kept. */
    BEGINNING,
    /** Those published after it came. */
    NOW
}
