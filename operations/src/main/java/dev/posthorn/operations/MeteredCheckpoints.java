package dev.posthorn.operations;

import dev.posthorn.relay.CheckpointStore;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Times flushes, and counts lanes that another relay had by then. */
final class MeteredCheckpoints implements CheckpointStore {

    private final CheckpointStore store;
    private final Pulse pulse;
    private final Timer flushes;
    private final Counter fenced;
    private final Counter failures;

    MeteredCheckpoints(CheckpointStore store, MeterRegistry registry, Tags tags, Pulse pulse) {
        this.store = store;
        this.pulse = pulse;
        this.flushes = Timer.builder("posthorn_flush_duration_seconds")
                .description("Transactions that make progress durable.")
                .tags(tags)
                .register(registry);
        this.fenced = Counter.builder("posthorn_fenced_writes")
                .description("Lanes whose flush wrote nothing because another relay has them.")
                .tags(tags)
                .register(registry);
        this.failures = Counter.builder("posthorn_flush_failures")
                .description("Flushes of which it is not known whether they were committed.")
                .tags(tags)
                .register(registry);
    }

    @Override
    public List<LaneState> load(String relay, Collection<LeaseStore.Lease> leases) {
        return store.load(relay, leases);
    }

    @Override
    public Set<Integer> flush(String relay, String incarnation, List<LaneFlush> lanes) {
        long began = System.nanoTime();
        try {
            Set<Integer> lost = store.flush(relay, incarnation, lanes);
            fenced.increment(lost.size());
            return lost;
        } catch (StoreException unknown) {
            failures.increment();
            pulse.failed(String.valueOf(unknown.getMessage()));
            throw unknown;
        } finally {
            flushes.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public Due due(Collection<Integer> lanes, int limit) {
        return store.due(lanes, limit);
    }

    @Override
    public List<BlockedKey> released(int lane, Collection<String> heldKeys) {
        return store.released(lane, heldKeys);
    }
}
