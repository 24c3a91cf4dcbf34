package dev.posthorn.benchmarks;

import java.util.List;

/**
 * How large a benchmark is.
 *
 * @param runs how often each contender is measured, after one warm-up round
 * @param events how many events wait in the log
 * @param payload bytes of each event's payload
 * @param keys over how many keys the events are spread
 * @param batches how many rows the plain read takes per statement; each size is a contender of its own
 */
record BenchOptions(int runs, int events, int payload, int keys, List<Integer> batches) {

    BenchOptions {
        batches = List.copyOf(batches);
        if (runs < 1 || events < 1 || payload < 1 || keys < 1) {
            throw new IllegalArgumentException("runs, events, payload and keys must be at least 1, but are " + runs
                    + ", " + events + ", " + payload + " and " + keys);
        }
        if (batches.isEmpty() || batches.stream().anyMatch(batch -> batch < 1)) {
            throw new IllegalArgumentException("each batch must be at least 1, but they are " + batches);
        }
    }

    static BenchOptions standard() {
        return new BenchOptions(3, 200_000, 500, 1_000, List.of(500, 5_000));
    }

    BenchOptions withEvents(int count) {
        return new BenchOptions(runs, count, payload, keys, batches);
    }

    BenchOptions withRuns(int count) {
        return new BenchOptions(count, events, payload, keys, batches);
    }
}
