package dev.posthorn.operations;

import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Counts lanes that were taken and lost. */
final class MeteredLeases implements LeaseStore {

    private final LeaseStore store;
    private final Pulse pulse;
    private final Counter takeovers;
    private final Counter lost;

    MeteredLeases(LeaseStore store, MeterRegistry registry, Tags tags, Pulse pulse) {
        this.store = store;
        this.pulse = pulse;
        this.takeovers = Counter.builder("posthorn_takeovers")
                .description("Lanes that this relay took.")
                .tags(tags)
                .register(registry);
        this.lost = Counter.builder("posthorn_leases_lost")
                .description("Lanes whose lease another relay had when this one renewed it.")
                .tags(tags)
                .register(registry);
    }

    @Override
    public Renewal renew(String relay, Collection<Lease> held, Duration ttl, Report report) {
        try {
            Renewal renewal = store.renew(relay, held, ttl, report);
            lost.increment(held.size() - renewal.held().size());
            return renewal;
        } catch (StoreException unreachable) {
            pulse.failed(String.valueOf(unreachable.getMessage()));
            throw unreachable;
        }
    }

    @Override
    public Crew crew(String relay, Duration ttl) {
        return store.crew(relay, ttl);
    }

    @Override
    public List<Lease> acquire(String relay, int most, Duration ttl) {
        List<Lease> taken = store.acquire(relay, most, ttl);
        takeovers.increment(taken.size());
        return taken;
    }

    @Override
    public void release(String relay, Collection<Lease> leases) {
        store.release(relay, leases);
    }

    @Override
    public void leave(String relay) {
        store.leave(relay);
    }
}
