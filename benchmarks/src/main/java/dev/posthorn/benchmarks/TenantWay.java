package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.relay.RouteFilter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** How the events of a small tenant are published beside those of a large one; tells those of the small one. */
final class TenantWay implements Way {

    /** Whoever has a backlog. */
    static final String LARGE = "large";
    /** Takes ten seconds for 100,000 events, as a broker that is the bottleneck would. */
    static final int PER_SECOND = 10_000;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final String name;
    private final BenchContext context;
    private final List<TenantRoute> routes = new ArrayList<>();
    private final AtomicInteger large = new AtomicInteger();
    private volatile Arrivals arrivals = (sequence, at) -> {};

    private TenantWay(String name, BenchContext context) {
        this.name = name;
        this.context = context;
    }

    /** Both go through one route. */
    static TenantWay shared(String name, BenchContext context) throws SQLException {
        return new TenantWay(name, context).with("all", RouteFilter.all());
    }

    /** The large one has a route of its own, and the other leaves it out. */
    static TenantWay apart(String name, BenchContext context) throws SQLException {
        return new TenantWay(name, context)
                .with("large", RouteFilter.ofTenants(LARGE))
                .with("rest", RouteFilter.all().exceptTenants(LARGE));
    }

    private TenantWay with(String route, RouteFilter filter) throws SQLException {
        routes.add(new TenantRoute(context, route, filter, this::published, PER_SECOND));
        return this;
    }

    private void published(Event event) {
        if (event.tenant().isPresent()) {
            large.incrementAndGet();
        } else {
            arrivals.published(event.sequence().orElseThrow(), Arrivals.now());
        }
    }

    /** How many events of the large tenant were published so far. */
    int ofLarge() {
        return large.get();
    }

    /** Waits until so many of them were published. */
    void awaitLarge(int events) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (ofLarge() < events) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException((events - ofLarge()) + " events were not published in time.");
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BenchContext context() {
        return context;
    }

    @Override
    public void tell(Arrivals to) {
        arrivals = to;
    }

    @Override
    public void committed(Event event) {
        routes.forEach(TenantRoute::wakeUp);
    }

    @Override
    public void close() {
        routes.forEach(TenantRoute::close);
    }
}
