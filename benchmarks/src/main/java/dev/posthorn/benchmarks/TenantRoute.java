package dev.posthorn.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import java.sql.SQLException;
import java.util.function.Consumer;

/** A route for some tenants with a relay in this process, to a destination of its own that takes so many events a second. */
final class TenantRoute implements AutoCloseable {

    private final HikariDataSource pool;
    private final Relay relay;

    TenantRoute(BenchContext context, String name, RouteFilter filter, Consumer<Event> sink, int perSecond)
            throws SQLException {
        this.pool = context.relayPool();
        this.relay = Relay.start(
                PostgresRelayStores.open(
                        pool, context.schema(), Route.named(name).withFilter(filter), name),
                new PacedPublisher(sink, perSecond),
                RelayConfig.standard(),
                RoutePolicy.standard());
        new BenchRoute(context, name).awaitFairShares(1);
    }

    void wakeUp() {
        relay.wakeUp();
    }

    @Override
    public void close() {
        relay.close();
        pool.close();
    }
}
