package dev.posthorn.relay;

import java.time.Duration;

/**
 * Points in time as {@code System.nanoTime} gives them: comparable only by difference, and below zero on some machines.
 * 0 stands for "at once", whatever the clock says.
 */
final class Nanos {

    private Nanos() {}

    static Duration until(long then, long now) {
        return then == 0 ? Duration.ZERO : Duration.ofNanos(Math.max(0, then - now));
    }

    static boolean reached(long then, long now) {
        return then == 0 || then - now <= 0;
    }
}
