package dev.posthorn.demo;

import java.time.Duration;
import java.util.Random;

/** When the destination is away. Thread-safe. */
final class Outages {

    private final long length;
    private final long every;
    private final Random random;
    private long begin;
    private boolean noticed;
    private long count;

    Outages(Duration length, Duration every, long seed) {
        this.length = length.toNanos();
        this.every = every.toNanos();
        this.random = new Random(seed);
        this.begin = next(System.nanoTime());
    }

    synchronized boolean isNow() {
        if (length == 0) {
            return false;
        }
        long now = System.nanoTime();
        if (now - (begin + length) >= 0) {
            begin = next(now);
            noticed = false;
        }
        boolean away = now - begin >= 0;
        if (away && !noticed) {
            noticed = true;
            count++;
        }
        return away;
    }

    /** How many there were that anyone noticed. */
    synchronized long count() {
        return count;
    }

    private long next(long now) {
        return now + (long) (every * (0.5 + random.nextDouble()));
    }
}
