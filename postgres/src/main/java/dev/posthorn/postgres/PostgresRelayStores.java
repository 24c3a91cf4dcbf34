package dev.posthorn.postgres;

import dev.posthorn.event.StorableText;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Opens a relay's stores for one route, creating the route if it is new. Refuses a log that was restored from a dump and not
 * rebased yet. Needs the rights of a {@link RoleKind#RELAY}.
 */
public final class PostgresRelayStores {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private PostgresRelayStores() {}

    /**
     * The value of the driver's connection parameter {@code options} that a relay's own pool should have.
     *
     * <p>With it a look at the log is one statement; without it, as on a pool that the application shares with the relay
     * or behind a pooler that refuses the parameter, a look sends its planner settings along: four statements in the
     * same round trip.
     */
    public static String connectionOptions() {
        return PlainPlans.OPTIONS;
    }

    /**
     * The stores of a route for one relay. A new route is created.
     *
     * <p>The data source must allow four connections at once for each relay; it may be a pool in transaction mode.
     *
     * @param route if there is one of that name already its filter must be the same; it goes on where it was
     * @param relay the name of the relay, unique among those of the route
     */
    public static Relay.Stores open(DataSource dataSource, Schema schema, Route route, String relay) {
        return open(new Connections(dataSource, TIMEOUT), schema, route, relay);
    }

    static Relay.Stores open(Connections connections, Schema schema, Route route, String relay) {
        return open(connections, schema, route.name(), relay, connection -> {
            PostgresRoutes.create(connection, schema, List.of(route));
            return PostgresRoutes.find(connection, schema, route.name());
        });
    }

    /**
     * The stores of the named route for one relay, with the filter it was created with. If there is none of that name it is
     * created for every event; see {@link dev.posthorn.relay.RouteStart#auto} for where it starts.
     */
    public static Relay.Stores open(DataSource dataSource, Schema schema, String route, String relay) {
        return open(new Connections(dataSource, TIMEOUT), schema, route, relay, connection -> {
            Optional<StoredRoute> found = PostgresRoutes.find(connection, schema, route);
            if (found.isPresent()) {
                return found;
            }
            PostgresRoutes.create(connection, schema, List.of(Route.named(route)));
            return PostgresRoutes.find(connection, schema, route);
        });
    }

    private static Relay.Stores open(
            Connections connections,
            Schema schema,
            String name,
            String relay,
            Connections.Work<Optional<StoredRoute>> findOrCreate) {
        StorableText.name("relay name", relay);
        connections.askForPlans();
        StoredRoute route = connections
                .transaction("open the route", connection -> {
                    RestoredLog.requireHome(connection, schema);
                    return findOrCreate.run(connection);
                })
                .orElseThrow();
        return new Relay.Stores(
                name,
                relay,
                new PostgresLog(connections, schema, route),
                new PostgresCheckpoints(connections, schema, route.id()),
                new PostgresLeases(connections, schema, route.id()));
    }
}
