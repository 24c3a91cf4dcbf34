package dev.posthorn.transports.googlepubsub;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between attempts: 100 ms, doubled with each failure, 5 s at most, and up to a fifth less by chance. Thread-safe. */
final class Pauses {

    private static final long FIRST = Duration.ofMillis(100).toNanos();
    private static final long LONGEST = Duration.ofSeconds(5).toNanos();

    private long next = FIRST;
    private long notBefore = System.nanoTime();

    synchronized boolean isOver() {
        return System.nanoTime() - notBefore >= 0;
    }

    synchronized void failed() {
        notBefore = System.nanoTime() + next - ThreadLocalRandom.current().nextLong(next / 5);
        next = Math.min(LONGEST, next * 2);
    }

    synchronized void succeeded() {
        next = FIRST;
        notBefore = System.nanoTime();
    }
}
