package dev.posthorn.transports.snssqs;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses after failures: 100 ms, doubled each time, 5 s at most, and up to a fifth less by chance. Thread-safe. */
final class Backoff {

    private static final long FIRST = Duration.ofMillis(100).toNanos();
    private static final long LONGEST = Duration.ofSeconds(5).toNanos();

    private long next = FIRST;
    private long until = System.nanoTime();

    /** Begins a pause, unless there is one: several calls may fail together. */
    synchronized void failed() {
        if (isOver()) {
            long pause = next - ThreadLocalRandom.current().nextLong(next / 5);
            until = System.nanoTime() + pause;
            next = Math.min(LONGEST, next * 2);
        }
    }

    synchronized void succeeded() {
        next = FIRST;
        until = System.nanoTime();
    }

    synchronized boolean isOver() {
        return System.nanoTime() - until >= 0;
    }

    synchronized Duration left() {
        return Duration.ofNanos(Math.max(0, until - System.nanoTime()));
    }
}
