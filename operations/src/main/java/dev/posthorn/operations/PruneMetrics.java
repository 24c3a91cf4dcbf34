package dev.posthorn.operations;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** Metrics of pruning in this process. Thread-safe. */
public final class PruneMetrics {

    private final Clock clock;
    private final Counter pruned;
    private final Counter archived;
    private final Counter failures;
    private final AtomicLong lastDone = new AtomicLong();

    public PruneMetrics(MeterRegistry registry, Clock clock) {
        this.clock = clock;
        this.pruned = counter(registry, "posthorn_pruned_events", "Events that this process removed from the log.");
        this.archived = counter(registry, "posthorn_archived_events", "Events that this process archived.");
        this.failures = counter(registry, "posthorn_prune_failures", "Runs of pruning that ended early.");
        Gauge.builder("posthorn_prune_last_done_timestamp_seconds", lastDone, AtomicLong::get)
                .description("When pruning last came to its end in this process, in seconds since 1970; 0 for never.")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String help) {
        return Counter.builder(name).description(help).register(registry);
    }

    /** A run came to its end. */
    public void done(long events, long archivedEvents) {
        pruned.increment((double) events);
        archived.increment((double) archivedEvents);
        lastDone.set(clock.instant().getEpochSecond());
    }

    /** A run did not. */
    public void failed() {
        failures.increment();
    }
}
