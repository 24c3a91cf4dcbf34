package dev.posthorn.postgres;

import dev.posthorn.relay.Relay;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** Opens a relay's stores for one route, creating the route if it is new. Needs the rights of a {@link RoleKind#RELAY}. */
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
     * The stores of the named route for one relay. A new route begins at the beginning of what the log has kept.
     *
     * <p>The data source must allow four connections at once for each relay; it may be a pool in transaction mode.
     *
     * @param relay the name of the relay, unique among those of the route
     */
    public static Relay.Stores open(DataSource dataSource, Schema schema, String route, String relay) {
        Connections connections = new Connections(dataSource, TIMEOUT);
        connections.askForPlans();
        short number =
                connections.transaction("open route " + route, connection -> findOrCreate(connection, schema, route));
        return new Relay.Stores(
                new PostgresLog(connections, schema),
                new PostgresCheckpoints(connections, schema, number, relay),
                new PostgresLeases(connections, schema, number));
    }

    private static short findOrCreate(Connection connection, Schema schema, String route) throws SQLException {
        short found = find(connection, schema, route);
        if (found > 0) {
            return found;
        }
        try (Statement lock = connection.createStatement()) {
            lock.execute("SELECT pg_advisory_xact_lock(hashtextextended('posthorn.route', 0))");
        }
        try (PreparedStatement create =
                connection.prepareStatement(PlainPlans.SET_LOCAL + "; " + Sql.load("route_create", schema))) {
            create.setString(1, route);
            create.execute();
        }
        return find(connection, schema, route);
    }

    private static short find(Connection connection, Schema schema, String route) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(Sql.load("route_find", schema))) {
            find.setString(1, route);
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? row.getShort(1) : 0;
            }
        }
    }
}
