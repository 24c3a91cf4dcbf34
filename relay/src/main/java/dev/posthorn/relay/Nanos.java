package dev.posthorn.relay;

import java.time.Duration;

/** Points in time as {@code System.nanoTime} gives them: comparable only by difference. */
final class Nanos {

    private Nanos() {}

    static Duration until(long then, long now) {
        return Duration.ofNanos(Math.max(0, then - now));
    }

    static boolean reached(long then, long now) {
        return then - now <= 0;
    }
}
