package dev.posthorn.demo;

/**
 * How often which duration occurred, in buckets that each are 3 % wide or a microsecond.
 *
 * <p>Not thread-safe.
 */
final class Histogram {

    /** Buckets per doubling, as a power of two. */
    private static final int PRECISION = 5;

    private static final int PER_DOUBLING = 1 << PRECISION;

    private final long[] counts = new long[(64 - PRECISION) * PER_DOUBLING];
    private long total;

    void record(long nanos) {
        counts[indexOf(Math.max(0, nanos / 1_000))]++;
        total++;
    }

    void add(Histogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    void clear() {
        java.util.Arrays.fill(counts, 0);
        total = 0;
    }

    /** The duration that this share of all did not exceed, in milliseconds; 0 if there are none. */
    double percentile(double share) {
        long rank = (long) Math.ceil(total * share);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank && seen > 0) {
                return upperEnd(i) / 1_000.0;
            }
        }
        return 0;
    }

    private static int indexOf(long micros) {
        int shift = Math.max(0, 63 - Long.numberOfLeadingZeros(micros | 1) - PRECISION);
        return shift * PER_DOUBLING + (int) (micros >>> shift);
    }

    private static long upperEnd(int index) {
        if (index < 2 * PER_DOUBLING) {
            return index;
        }
        int shift = index / PER_DOUBLING - 1;
        long mantissa = index - (long) shift * PER_DOUBLING;
        return ((mantissa + 1) << shift) - 1;
    }
}
