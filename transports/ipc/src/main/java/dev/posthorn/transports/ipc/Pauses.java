package dev.posthorn.transports.ipc;

import java.time.Duration;

/** How long to wait before the next try: longer with each failure. A local socket is cheap to try. Not thread-safe. */
final class Pauses {

    private static final Duration FIRST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private Duration next = FIRST;
    private long until = System.nanoTime();

    /** Begins a pause. */
    Duration failed() {
        Duration pause = next;
        until = System.nanoTime() + pause.toNanos();
        Duration doubled = pause.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        return pause;
    }

    void succeeded() {
        next = FIRST;
    }

    boolean isOver() {
        return System.nanoTime() - until >= 0;
    }
}
