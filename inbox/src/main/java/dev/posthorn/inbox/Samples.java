package dev.posthorn.inbox;

import java.time.Duration;
import java.util.Arrays;

/** The latest thousand durations. Thread-safe. */
final class Samples {

    private static final int KEPT = 1_000;

    private final long[] nanos = new long[KEPT];
    private long count;

    synchronized void add(Duration duration) {
        nanos[(int) (count++ % KEPT)] = Math.max(0, duration.toNanos());
    }

    /** Zero if there is none. */
    synchronized Duration quantile(double share) {
        int known = (int) Math.min(count, KEPT);
        if (known == 0) {
            return Duration.ZERO;
        }
        long[] sorted = Arrays.copyOf(nanos, known);
        Arrays.sort(sorted);
        return Duration.ofNanos(sorted[Math.min(known - 1, (int) (known * share))]);
    }
}
