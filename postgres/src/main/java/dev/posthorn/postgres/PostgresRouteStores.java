package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RouteStores;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The routes of a schema, for those who relay or handle its events. Needs the rights of a {@link RoleKind#RELAY}, and for
 * handlers in the log's own transactions also those to whatever they do.
 *
 * <p>The data source must allow five connections at once for each relay; it may be a pool in transaction mode. Thread-safe.
 */
public final class PostgresRouteStores implements RouteStores<Connection> {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration HANDLER_TIMEOUT = Duration.ofMinutes(1);

    private final DataSource dataSource;
    private final Schema schema;
    private final Duration handlerTimeout;

    private PostgresRouteStores(DataSource dataSource, Schema schema, Duration handlerTimeout) {
        this.dataSource = dataSource;
        this.schema = schema;
        this.handlerTimeout = handlerTimeout;
    }

    public static PostgresRouteStores of(DataSource dataSource, Schema schema) {
        return new PostgresRouteStores(dataSource, schema, HANDLER_TIMEOUT);
    }

    /**
     * How long one statement of a handler may take (1 min). Too low: slow ones are cut off, and their event comes again. Too
     * high: a member behind a dead network notices late.
     */
    public PostgresRouteStores withHandlerTimeout(Duration longest) {
        return new PostgresRouteStores(dataSource, schema, longest);
    }

    @Override
    public Opened<Connection> open(Route route, String relay) {
        Connections connections = new Connections(dataSource, TIMEOUT);
        Optional<StoredRoute> before = find(connections, route.name());
        if (before.isPresent() && before.get().isRetired()) {
            throw new PosthornException("Route \"" + route.name() + "\" is retired: nothing is kept for it any more."
                    + " Choose another name.");
        }
        Relay.Stores stores = PostgresRelayStores.open(connections, schema, route, relay);
        return new Opened<>(
                stores,
                new PostgresHandling(
                        new Connections(dataSource, handlerTimeout),
                        (PostgresCheckpoints) stores.checkpoints(),
                        "route=" + route.name() + " relay=" + relay));
    }

    @Override
    public Optional<RouteFilter> filterOf(String route) {
        return find(new Connections(dataSource, TIMEOUT), route).map(StoredRoute::filter);
    }

    @Override
    public boolean hasLiveRoute() {
        return new PostgresRoutes(dataSource, schema)
                .list().stream().anyMatch(route -> route.retiredAt().isEmpty());
    }

    private Optional<StoredRoute> find(Connections connections, String route) {
        return connections.transaction("look for the route", c -> PostgresRoutes.find(c, schema, route));
    }
}
