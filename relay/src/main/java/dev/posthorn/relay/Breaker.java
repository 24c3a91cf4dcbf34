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
    private @Nullable Object probe;
    private int openings;

    /** Opens, or changes the reason. Only a probe that fails puts off the next one, see {@link #probeFailed}. */
    void open(String why, long now) {
        if (reason == null) {
            pause = FIRST_PAUSE;
            probeAt = now + pause;
            probe = null;
            openings++;
        }
        reason = why;
    }

    /** The probe did not go through: the pause before the next one is twice as long. */
    void probeFailed(String why, long now) {
        pause = Math.min(pause * 2, LONGEST_PAUSE);
        probeAt = now + pause;
        probe = null;
        reason = why;
    }

    /** The destination answered. */
    void close() {
        reason = null;
        probe = null;
    }

    boolean isOpen() {
        return reason != null;
    }

    /** Why nothing is published, if so. */
    @Nullable
    String reason() {
        return reason;
    }

    /** The number of times that it opened. */
    int openings() {
        return openings;
    }

    /** Whether the caller may send one publication now to find out. */
    boolean mayProbe(long now) {
        return wantsProbe() && Nanos.reached(probeAt, now);
    }

    void probing(Object publication) {
        probe = publication;
    }

    /** It is not in flight any more, whatever became of it. */
    void landed(Object publication) {
        if (probe == publication) {
            probe = null;
        }
    }

    /** No probe could be sent: what there is has to be fetched first, or its lane is not trusted. */
    void postponeProbe(long now) {
        probe = null;
        probeAt = now + FIRST_PAUSE;
    }

    /** Whether a probe is to be sent at {@link #probeAt}: the breaker is open, and none is under way. */
    boolean wantsProbe() {
        return reason != null && probe == null;
    }

    /** When the next probe may go; only while open. */
    long probeAt() {
        return probeAt;
    }
}
