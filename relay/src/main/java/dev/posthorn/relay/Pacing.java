package dev.posthorn.relay;

import java.time.Duration;

/** How long to wait between two looks at the log: nothing while there is a backlog, little while busy, more when idle. */
final class Pacing {

    private static final long BUSY = Duration.ofMillis(2).toNanos();
    private static final long STAY_BUSY = Duration.ofSeconds(2).toNanos();

    private final long idle;
    private long lastRows;
    private long pause = BUSY;

    Pacing(Duration idlePoll, long now) {
        this.idle = idlePoll.toNanos();
        this.lastRows = now - STAY_BUSY;
    }

    /** The wait after a read that brought so many rows of at most {@code full}. */
    Duration after(int rows, int full, long now) {
        if (rows > 0) {
            lastRows = now;
            pause = BUSY;
            return rows >= full ? Duration.ZERO : Duration.ofNanos(BUSY);
        }
        if (now - lastRows < STAY_BUSY) {
            return Duration.ofNanos(Math.min(2 * BUSY, idle));
        }
        pause = Math.min(idle, pause + pause / 4);
        return Duration.ofNanos(pause);
    }
}
