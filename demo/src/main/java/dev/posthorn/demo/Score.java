package dev.posthorn.demo;

import java.util.Locale;
import java.util.Map;

/**
 * What every demo tells, with the same keys, whatever it moves.
 *
 * @param counts what was found, in numbers of events
 * @param lag from commit to arrival
 * @param eventsPerSecond published, over the time from the first transaction to the last arrival
 * @param seed to run it again with
 */
record Score(Counts counts, LagMeter.Lag lag, double eventsPerSecond, long seed) {

    /** In numbers of events. */
    record Counts(long committed, long published, long lost, long invented, long duplicates, long outOfOrder) {}

    /** As one object. Troubles of one demo alone follow the counts, in this order, where there are any. */
    String json(Map<String, Long> troubles) {
        StringBuilder json = new StringBuilder(String.format(
                Locale.ROOT,
                "{\"committed\":%d,\"published\":%d,\"lost\":%d,\"invented\":%d,\"duplicates\":%d,\"out_of_order\":%d,",
                counts.committed(),
                counts.published(),
                counts.lost(),
                counts.invented(),
                counts.duplicates(),
                counts.outOfOrder()));
        troubles.forEach((key, count) -> {
            if (count > 0) {
                json.append('"').append(key).append("\":").append(count).append(',');
            }
        });
        return json.append(String.format(
                        Locale.ROOT,
                        "\"lag_p50_ms\":%.1f,\"lag_p99_ms\":%.1f,\"events_per_s\":%.0f,\"seed\":%d}",
                        lag.p50(),
                        lag.p99(),
                        eventsPerSecond,
                        seed))
                .toString();
    }

    /** Of the way of the events, for people. */
    String found(long twice) {
        return "    " + Numbers.count(counts.committed()) + " events committed, " + Numbers.count(counts.published())
                + " arrived, " + Numbers.count(counts.lost()) + " lost, " + Numbers.count(counts.invented())
                + " invented, "
                + Numbers.count(counts.outOfOrder()) + " out of order, " + Numbers.count(twice)
                + " effects that happened twice";
    }

    /** Of the duplicates, the speed and the seed, for people. */
    String pace() {
        return "    " + Numbers.count(counts.duplicates()) + " duplicates delivered and recognised, " + speed();
    }

    /** Of the speed and the seed, for people. */
    String speed() {
        return Numbers.count(Math.round(eventsPerSecond)) + " events/s, lag p50 " + Numbers.millis(lag.p50()) + ", p99 "
                + Numbers.millis(lag.p99()) + ", seed " + seed;
    }
}
