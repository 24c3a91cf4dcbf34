package dev.posthorn.benchmarks;

import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Posthorn itself, with its standard settings: a relay on a route of its own, from its start until its checkpoints cover
 * the whole log.
 */
final class RelayDrain implements Contender {

    private static final long PATIENCE_SECONDS = 300;
    private static final long LOOK = Duration.ofMillis(1).toNanos();

    private final BenchContext context;
    private int routes;
    private Relay.@Nullable Stores stores;
    private @Nullable Relay relay;
    private RelayStatus.Totals totals = new RelayStatus.Totals(0, 0, 0, 0, 0, 0);

    RelayDrain(BenchContext context) {
        this.context = context;
    }

    @Override
    public String name() {
        return "posthorn relay";
    }

    /** A new route begins at the beginning of the log. */
    @Override
    public void prepare() throws SQLException {
        routes++;
        stores = PostgresRelayStores.open(
                context.pool(), context.schema(), Route.named(route()).fromBeginning(), "bench");
        context.settle("outbox", "checkpoint", "flush", "lease", "relay");
    }

    private String route() {
        return "bench-" + routes;
    }

    @Override
    public void deliver(CountingSink sink) {
        relay = Relay.start(
                "bench",
                Objects.requireNonNull(stores),
                MemoryTransport.direct(sink).publisher(),
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
        double behind = context.number("SELECT count(*) FROM {schema}.outbox AS o WHERE o.seq > ("
                + "SELECT c.position FROM {schema}.checkpoint AS c JOIN {schema}.route AS r ON r.id = c.route"
                + " WHERE r.name = '" + route() + "' AND c.lane = o.lane ORDER BY c.n DESC LIMIT 1)");
        if (behind > 0) {
            throw new IllegalStateException((long) behind + " events are not covered by a checkpoint.");
        }
    }

    /** How the last run went. */
    RelayStatus.Totals totals() {
        return totals;
    }
}
