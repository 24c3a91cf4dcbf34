package dev.posthorn.transport;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between attempts to reach a broker: each is twice as long as the one before, up to the longest. Thread-safe. */
public final class Pauses {

    private final long first;
    private final long longest;
    private final boolean scattered;
    private long next;
    private long until = System.nanoTime();

    private Pauses(Duration first, Duration longest, boolean scattered) {
        this.first = first.toNanos();
        this.longest = longest.toNanos();
        this.scattered = scattered;
        this.next = this.first;
    }

    public static Pauses of(Duration first, Duration longest) {
        return new Pauses(first, longest, false);
    }

    /** Up to a fifth less by chance, so that those who failed together do not all come back together. */
    public static Pauses scattered(Duration first, Duration longest) {
        return new Pauses(first, longest, true);
    }

    /** The pauses of most transports: 100 ms at first, 5 s at most, up to a fifth less by chance. */
    public static Pauses scattered() {
        return scattered(Duration.ofMillis(100), Duration.ofSeconds(5));
    }

    /** Begins a pause, and tells how long it is. */
    public synchronized Duration failed() {
        long pause = scattered ? next - ThreadLocalRandom.current().nextLong(next / 5) : next;
        until = System.nanoTime() + pause;
        next = Math.min(longest, next * 2);
        return Duration.ofNanos(pause);
    }

    /** Begins a pause unless one is running: several calls may fail together. */
    public synchronized void failedTogether() {
        if (isOver()) {
            failed();
        }
    }

    /** How much of the pause is left; zero if it is over. */
    public synchronized Duration left() {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()));
    }

    /** Ends the pause; the next one is as short as the first. */
    public synchronized void succeeded() {
        next = first;
        until = System.nanoTime();
    }

    public synchronized boolean isOver() {
        return System.nanoTime() - until >= 0;
    }
}
