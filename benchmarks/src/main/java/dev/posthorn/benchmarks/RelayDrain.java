package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Posthorn itself, with its standard settings: a relay on a route of its own, from its start until its checkpoints cover
 * the whole log.
 */
final class RelayDrain implements Contender {

    /** A publisher for a relay that hands every event to the sink. */
    interface Destination extends Function<Consumer<Event>, Publisher> {}

    static final Destination DIRECT = sink -> MemoryTransport.direct(sink).publisher();

    private static final long PATIENCE_SECONDS = 300;
    private static final long LOOK = Duration.ofMillis(1).toNanos();

    private final String name;
    private final BenchContext context;
    private final long after;
    private final Destination destination;
    private int routes;
    private BenchRoute route;
    private Relay.@Nullable Stores stores;
    private @Nullable Relay relay;
    private RelayStatus.Totals totals = new RelayStatus.Totals(0, 0, 0, 0, 0, 0);

    RelayDrain(BenchContext context) {
        this("posthorn relay", context, 0, DIRECT);
    }

    /**
     * A drain of what comes after this place of the log.
     *
     * @param after the last place that counts as published already; 0 for none
     */
    RelayDrain(String name, BenchContext context, long after, Destination destination) {
        this.name = name;
        this.context = context;
        this.after = after;
        this.destination = destination;
        this.route = new BenchRoute(context, "none");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BenchOptions options() {
        return context.options();
    }

    /** Every drain has a new route. */
    @Override
    public void prepare() throws SQLException {
        routes++;
        route = new BenchRoute(context, name.replaceAll("[^a-z0-9]+", "-") + "-" + routes);
        stores = route.open(context.pool(), "bench");
        if (after > 0) {
            route.beginAfter(after);
        }
        context.settle("outbox", "checkpoint", "flush", "lease", "relay");
    }

    @Override
    public void deliver(CountingSink sink) {
        relay = Relay.start(
                Objects.requireNonNull(stores),
                destination.apply(sink),
                RelayConfig.standard(),
                RoutePolicy.standard());
        sink.awaitAll(PATIENCE_SECONDS);
        awaitCheckpoints(relay);
    }

    /** Waits until what the relay has read is also covered by its checkpoints. */
    static void awaitCheckpoints(Relay relay) {
        long end = System.nanoTime() + Duration.ofSeconds(PATIENCE_SECONDS).toNanos();
        while (relay.status().held() > 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("The checkpoints do not cover the log: " + relay.status());
            }
            LockSupport.parkNanos(LOOK);
        }
    }

    @Override
    public void finish() throws SQLException {
        Relay done = Objects.requireNonNull(relay);
        totals = done.status().totals();
        done.close();
        long behind = route.behind();
        if (behind > 0) {
            throw new IllegalStateException(behind + " events are not covered by a checkpoint.");
        }
    }

    /** The route of the last run. */
    String routeName() {
        return route.name();
    }

    /** How the last run went. */
    RelayStatus.Totals totals() {
        return totals;
    }
}
