package dev.posthorn.examples.holdco;

import dev.posthorn.codecs.Envelopes;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import java.util.Set;
import javax.sql.DataSource;

/** The relay of the route {@code holdco}. */
public final class HoldcoRelay {

    /** The name of the route. */
    public static final String ROUTE = "holdco";

    private HoldcoRelay() {}

    /** As the design has it: min(2^n · 5 s, 15 min) with jitter between attempts, and dead after the tenth. */
    public static Relay start(DataSource database, Publisher broker, String name) {
        return start(database, broker, name, RetryPolicy.exponential());
    }

    /** The same with pauses of another length. The publisher is the broker's own; envelopes are made here. */
    public static Relay start(DataSource database, Publisher broker, String name, RetryPolicy retry) {
        Route route = Route.named(ROUTE)
                .withFilter(new RouteFilter(Set.of(Holdco.DOMAIN), Set.of(), Set.of()))
                .fromBeginning();
        return Relay.start(
                PostgresRelayStores.open(database, Schema.DEFAULT, route, name),
                Envelopes.around(broker, Holdco.ENVELOPE),
                RelayConfig.standard(),
                RoutePolicy.standard().withRetry(retry));
    }
}
