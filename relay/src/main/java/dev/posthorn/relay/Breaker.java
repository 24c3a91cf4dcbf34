package dev.posthorn.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Stops publishing while the destination is unavailable and lets one probe through at a time, with growing pauses.
 * Touched only under the relay's lock.
 */
final class Breaker {

    private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(10).toNanos();

    private @Nullable String reason;
    private long pause = FIRST_PAUSE;
    private long probeAt;
    private boolean probing;

    /** The destination did not let us in; whoever was sent is charged nothing. */
    void open(String why, long now) {
        pause = reason == null ? FIRST_PAUSE : probing ? Math.min(pause * 2, LONGEST_PAUSE) : pause;
        if (reason == null || probing) {
            probeAt = now + pause;
        }
        probing = false;
        reason = why;
    }

    /** The destination answered. */
    void close() {
        reason = null;
        probing = false;
    }

    boolean isOpen() {
        return reason != null;
    }

    /** Why nothing is published, if so. */
    @Nullable
    String reason() {
        return reason;
    }

    /** Whether the caller may send one publication now to find out. */
    boolean takeProbe(long now) {
        if (reason == null || probing || !Nanos.reached(probeAt, now)) {
            return false;
        }
        probing = true;
        return true;
    }

    /** The probe could not be sent after all: what there is has to be fetched first, or its lane is not trusted. */
    void returnProbe(long now) {
        probing = false;
        probeAt = now + FIRST_PAUSE;
    }

    /** Whether a probe is to be sent at {@link #probeAt}: the breaker is open, and none is under way. */
    boolean wantsProbe() {
        return reason != null && !probing;
    }

    /** When the next probe may go; only while open. */
    long probeAt() {
        return probeAt;
    }
}
