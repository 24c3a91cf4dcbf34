package dev.posthorn.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.SQLException;

/** A producer that emits at a steady rate while a relay publishes. */
final class Load {

    private static final String ROUTE = "bench-load";
    private static final long PATIENCE_SECONDS = 300;

    private final BenchContext context;
    private final Backlog events;
    private final int perSecond;

    Load(BenchContext context, int perSecond) {
        this.context = context;
        this.events = new Backlog(context.options());
        this.perSecond = perSecond;
    }

    /**
     * What one load came to.
     *
     * @param perSecond how many events a second were really emitted
     * @param relayStatements what the relay sent to the server, the producer's statements not counted
     */
    record Outcome(double perSecond, double relayStatements) {}

    /** Emits all events to an empty log. */
    Outcome run(ServerStatistics statistics) throws SQLException {
        context.run("TRUNCATE {schema}.outbox");
        CountingSink sink = new CountingSink(context.options().events());
        try (HikariDataSource pool = context.relayPool()) {
            Relay.Stores stores = PostgresRelayStores.open(
                    pool, context.schema(), Route.named(ROUTE).fromBeginning(), "bench");
            return run(stores, sink, statistics);
        }
    }

    private Outcome run(Relay.Stores stores, CountingSink sink, ServerStatistics statistics) throws SQLException {
        try (Relay relay = Relay.start(
                stores, MemoryTransport.direct(sink).publisher(), RelayConfig.standard(), RoutePolicy.standard())) {
            statistics.start();
            long start = System.nanoTime();
            int transactions = events.emit(context, perSecond);
            double seconds = (System.nanoTime() - start) / 1e9;
            sink.awaitAll(PATIENCE_SECONDS);
            RelayDrain.awaitCheckpoints(relay);
            double statements = statistics.stop().statements();
            sink.verify("the relay under load", context.options().keys());
            return new Outcome(
                    context.options().events() / seconds, statements - transactions * Backlog.STATEMENTS_EACH);
        }
    }
}
