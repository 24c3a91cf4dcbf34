package dev.posthorn.replay;

import java.time.Duration;
import java.util.OptionalInt;

/** How many events may go now, so that no more than so many go in a second. Not thread-safe. */
final class Pace {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    /** What was not used within this time is gone, so that a pause is not made up for by a burst. */
    private static final long SAVED = Duration.ofMillis(100).toNanos();

    private final long interval;
    /** When the next one may go. */
    private long next;

    Pace(OptionalInt rate, long now) {
        this.interval = rate.isPresent() ? SECOND / rate.getAsInt() : 0;
        this.next = now;
    }

    /** How many of so many may go now. */
    int permits(int wanted, long now) {
        if (interval == 0) {
            return wanted;
        }
        if (now - next < 0) {
            return 0;
        }
        long saved = Math.min(now - next, SAVED);
        return (int) Math.min(wanted, 1 + saved / interval);
    }

    /** So many went. */
    void went(int events, long now) {
        next = Math.max(next, now - SAVED) + events * interval;
    }

    /** How long until the next one may go. */
    Duration untilNext(long now) {
        return Duration.ofNanos(interval == 0 ? 0 : Math.max(0, next - now));
    }
}
