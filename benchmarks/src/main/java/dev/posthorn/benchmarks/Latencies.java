package dev.posthorn.benchmarks;

import java.util.Arrays;

/** How long after its commit each event was published, in milliseconds. */
final class Latencies {

    private final double[] sorted;
    private final double perSecond;

    Latencies(double[] milliseconds, double perSecond) {
        this.sorted = milliseconds.clone();
        Arrays.sort(sorted);
        this.perSecond = perSecond;
    }

    /** What this share of the events did not exceed; 0.5 is the median. */
    double percentile(double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }

    /** How many events a second were really emitted. */
    double perSecond() {
        return perSecond;
    }
}
