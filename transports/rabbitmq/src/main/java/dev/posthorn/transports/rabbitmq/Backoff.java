package dev.posthorn.transports.rabbitmq;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between attempts to connect: 100 ms, doubled each time, 5 s at most, and up to a fifth less by chance. */
final class Backoff {

    private static final long FIRST = Duration.ofMillis(100).toNanos();
    private static final long LONGEST = Duration.ofSeconds(5).toNanos();

    private long next = FIRST;

    /** Nanoseconds. */
    long nextPause() {
        long pause = next;
        next = Math.min(LONGEST, next * 2);
        return pause - ThreadLocalRandom.current().nextLong(pause / 5);
    }

    void reset() {
        next = FIRST;
    }
}
