package dev.posthorn.transports.postgreslog;

import dev.posthorn.relay.Handler;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RouteStores;
import dev.posthorn.relay.StoreException;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/**
 * Starts the relays of one subscriber's members.
 *
 * @param route the name of its route
 */
record MemberRelays(String route, RouteStores<Connection> routes, PostgresLogConfig config) {

    private static final Duration FOR_EVER = Duration.ofDays(3_650);
    /** A transaction takes no more at once, so there is no use in more. */
    private static final RelayConfig.LaneLimit HANDLED_LANE = new RelayConfig.LaneLimit(128, 8L << 20);

    private static final int HANDLED_IN_FLIGHT = 64;

    /** A relay that gives its events to this publisher. */
    Relay publishing(Subscriber subscriber, Publisher publisher, int prefetch) {
        String name = newName();
        Relay.Stores stores = open(subscriber, name).stores();
        RelayConfig own = config.relay().withPublishTimeout(FOR_EVER).withMaxInFlight(prefetch);
        return Relay.start(stores, publisher, own, config.policy());
    }

    /** A relay that handles its events in the transactions that write its checkpoints. */
    Relay handling(Subscriber subscriber, Handler<Connection> handler) {
        String name = newName();
        RelayConfig own = config.relay()
                .withLane(HANDLED_LANE)
                .withPage(Math.min(config.relay().page(), HANDLED_LANE.events()))
                .withMaxInFlight(HANDLED_IN_FLIGHT);
        return Relay.startHandling(open(subscriber, name), handler, own, config.policy());
    }

    private RouteStores.Opened<Connection> open(Subscriber subscriber, String relay) {
        RouteFilter filter = new RouteFilter(subscriber.domains(), subscriber.types(), Set.of());
        if (config.provision().creates()) {
            return routes.open(new Route(route, filter, config.start()), relay);
        }
        RouteFilter found = routes.filterOf(route).orElseThrow(this::missing);
        RouteFilter asked = config.provision().verifies() ? filter : found;
        return routes.open(new Route(route, asked, config.start()), relay);
    }

    private static String newName() {
        return "member-" + ProcessHandle.current().pid() + "-"
                + UUID.randomUUID().toString().substring(0, 8);
    }

    /** It may be created any time, so this is trouble and not the end. */
    private StoreException missing() {
        return new StoreException(
                "The route \"" + route + "\" is missing, and this subscriber may not create it. Create it:"
                        + " ./posthorn routes create " + route,
                null);
    }
}
