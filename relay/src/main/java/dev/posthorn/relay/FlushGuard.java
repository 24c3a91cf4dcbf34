package dev.posthorn.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Stops publishing when flushes fail again and again though leases are renewed: what is published can not be checkpointed
 * then, so it would be published again after each failure, without end. After growing pauses a flush that passes nothing
 * finds out whether one goes through. Touched only under the relay's lock.
 *
 * <p>That flush alone does not end the growth of the pauses: if only what real ones write is the trouble, it comes back.
 */
final class FlushGuard {

    /** So many in a row are the trouble of a moment: a connection that broke, a server that was restarted. */
    private static final int TOLERATED = 2;

    private static final long FIRST_PAUSE = Duration.ofMillis(500).toNanos();
    /** Also how late it can be noticed that a database is back. */
    private static final long LONGEST_PAUSE = Duration.ofSeconds(10).toNanos();

    private int failures;
    private long pause = FIRST_PAUSE;
    private long probeAt;
    private boolean stalled;
    private @Nullable String reason;

    /** A pause grows with the probe at its end that fails, and not with what else fails while it lasts. */
    void failed(String why, long now) {
        failures++;
        reason = why;
        boolean waiting = stalled && !Nanos.reached(probeAt, now);
        if (failures > TOLERATED && !waiting) {
            probeAt = now + pause;
            pause = Math.min(pause * 2, LONGEST_PAUSE);
            stalled = true;
        }
    }

    /** Nothing is read or sent. */
    boolean isStalled() {
        return stalled;
    }

    boolean wantsProbe(long now) {
        return stalled && Nanos.reached(probeAt, now);
    }

    /** A flush that passed nothing went through. */
    void probed() {
        stalled = false;
    }

    /** A flush went through. */
    void succeeded() {
        failures = 0;
        pause = FIRST_PAUSE;
        stalled = false;
        reason = null;
    }

    /** Why nothing is published, if so. */
    @Nullable
    String outage() {
        return stalled
                ? failures + " flushes failed in a row, and nothing is published until one succeeds: " + reason
                : null;
    }
}
