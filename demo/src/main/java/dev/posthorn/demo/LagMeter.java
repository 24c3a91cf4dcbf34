package dev.posthorn.demo;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * How long events take from their commit to their arrival at the consumer. Thread-safe.
 *
 * <p>The clock starts when COMMIT is sent: when it returns, the event may have arrived already. So the lag contains the
 * commit itself, and is never too small.
 */
final class LagMeter {

    private static final int SECONDS_SHOWN = 5;

    private final Map<UUID, Long> underWay = new ConcurrentHashMap<>();
    private final Histogram all = new Histogram();
    private final Histogram[] bySecond = new Histogram[SECONDS_SHOWN];
    private long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());

    /** Percentiles in milliseconds. */
    record Lag(double p50, double p99) {}

    LagMeter() {
        for (int i = 0; i < SECONDS_SHOWN; i++) {
            bySecond[i] = new Histogram();
        }
    }

    void commitSent(UUID event) {
        underWay.put(event, System.nanoTime());
    }

    /** Whether it is the first arrival of an event that someone wanted to commit. */
    boolean arrived(UUID event) {
        Long since = underWay.remove(event);
        if (since == null) {
            return false;
        }
        long now = System.nanoTime();
        synchronized (this) {
            all.record(now - since);
            current(now).record(now - since);
        }
        return true;
    }

    /** Committed and not arrived. */
    int underWay() {
        return underWay.size();
    }

    synchronized Lag overall() {
        return lagOf(all);
    }

    /** Of what arrived in the last five seconds. */
    synchronized Lag lately() {
        current(System.nanoTime());
        Histogram sum = new Histogram();
        for (Histogram part : bySecond) {
            sum.add(part);
        }
        return lagOf(sum);
    }

    private static Lag lagOf(Histogram histogram) {
        return new Lag(histogram.percentile(0.5), histogram.percentile(0.99));
    }

    private Histogram current(long now) {
        long thisSecond = TimeUnit.NANOSECONDS.toSeconds(now);
        for (long passed = Math.max(second + 1, thisSecond - SECONDS_SHOWN + 1); passed <= thisSecond; passed++) {
            bySecond[Math.floorMod(passed, SECONDS_SHOWN)].clear();
        }
        second = Math.max(second, thisSecond);
        return bySecond[Math.floorMod(second, SECONDS_SHOWN)];
    }
}
