package dev.posthorn.benchmarks;

import java.time.Duration;

/**
 * How large a benchmark is.
 *
 * @param runs how often each contender is measured, after the warm-up
 * @param events how many events wait in the log
 * @param payload bytes of each event's payload
 * @param keys over how many keys the events are spread
 * @param each how long one measurement takes where its length is a time and not a number of events
 * @param variants what one benchmark tries in several sizes
 */
record BenchOptions(int runs, int events, int payload, int keys, Duration each, Variants variants) {

    BenchOptions {
        if (runs < 1 || events < 1 || payload < 1 || keys < 1) {
            throw new IllegalArgumentException("runs, events, payload and keys must be at least 1, but are " + runs
                    + ", " + events + ", " + payload + " and " + keys);
        }
        if (each.isNegative() || each.isZero()) {
            throw new IllegalArgumentException("a measurement must take some time, but takes " + each);
        }
    }

    static BenchOptions standard() {
        return new BenchOptions(3, 200_000, 500, 1_000, Duration.ofSeconds(3), Variants.standard());
    }

    BenchOptions withEvents(int count) {
        return new BenchOptions(runs, count, payload, keys, each, variants);
    }

    BenchOptions withRuns(int count) {
        return new BenchOptions(count, events, payload, keys, each, variants);
    }

    BenchOptions withKeys(int count) {
        return new BenchOptions(runs, events, payload, count, each, variants);
    }

    BenchOptions withEach(Duration length) {
        return new BenchOptions(runs, events, payload, keys, length, variants);
    }

    BenchOptions withVariants(Variants other) {
        return new BenchOptions(runs, events, payload, keys, each, other);
    }
}
