package dev.posthorn.demo;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Holds producers back to a number of transactions a second. Thread-safe. */
final class Pace {

    private final long nanosBetween;
    private long next = System.nanoTime();

    /** @param eventsPerSecond 0 for as fast as it goes */
    Pace(int eventsPerSecond) {
        this.nanosBetween =
                eventsPerSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) * Bank.EVENTS_PER_TRANSFER / eventsPerSecond;
    }

    void await() {
        if (nanosBetween == 0) {
            return;
        }
        long turn = takeTurn();
        for (long left = turn - System.nanoTime(); left > 0; left = turn - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Time that nobody used is not caught up on, or a pause would end in a burst. */
    private synchronized long takeTurn() {
        long now = System.nanoTime();
        long turn = next - now > 0 ? next : now;
        next = turn + nanosBetween;
        return turn;
    }
}
