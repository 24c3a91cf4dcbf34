package dev.posthorn.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.SQLException;

/** A relay in the process that emits, woken up after each commit. It begins at the end of the log. */
final class InProcessWay implements Way {

    private final String name;
    private final BenchContext context;
    private final HikariDataSource pool;
    private final Relay relay;
    private volatile Arrivals arrivals = (sequence, at) -> {};

    InProcessWay(String name, BenchContext context) throws SQLException {
        this.name = name;
        this.context = context;
        this.pool = context.relayPool();
        BenchRoute route = new BenchRoute(context, "in-process");
        Relay.Stores stores = route.open(pool, "bench");
        route.beginAtEnd();
        this.relay = Relay.start(
                stores,
                MemoryTransport.direct(this::published).publisher(),
                RelayConfig.standard(),
                RoutePolicy.standard());
        route.awaitFairShares(1);
    }

    private void published(Event event) {
        arrivals.published(event.sequence().orElseThrow(), Arrivals.now());
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
        relay.wakeUp();
    }

    @Override
    public void close() {
        relay.close();
        pool.close();
    }
}
