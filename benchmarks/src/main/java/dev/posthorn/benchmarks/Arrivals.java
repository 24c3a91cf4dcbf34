package dev.posthorn.benchmarks;

import java.time.Instant;

/** Where publishes are told, as they happen; called from several threads. */
interface Arrivals {

    /**
     * An event was published.
     *
     * @param sequence the event's sequence
     * @param at when, see {@link #now}
     */
    void published(long sequence, long at);

    /** Nanoseconds of the clock that all processes of this machine share. */
    static long now() {
        Instant now = Instant.now();
        return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
    }
}
