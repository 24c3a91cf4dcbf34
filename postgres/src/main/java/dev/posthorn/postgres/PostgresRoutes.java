package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RouteStart;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a schema: created, listed, paused, resumed and retired while relays and producers run.
 *
 * <p>Every relay of a route sees a change within a second. Each change leaves a record of who made it and why.
 * Thread-safe.
 */
public final class PostgresRoutes {

    /**
     * A route as it stands.
     *
     * @param start where it began
     * @param pausedAt since when nothing of it is published
     * @param retiredAt since when it no longer is, and keeps no event from being pruned
     */
    public record RouteStatus(
            String name,
            RouteFilter filter,
            String start,
            Instant createdAt,
            Optional<Instant> pausedAt,
            Optional<Instant> retiredAt) {}

    private static final String ROUTE = "route name";

    private final DataSource database;
    private final Schema schema;
    private final Signature signature;

    public PostgresRoutes(DataSource database, Schema schema) {
        this(database, schema, Signature.OF_LOGIN);
    }

    private PostgresRoutes(DataSource database, Schema schema, Signature signature) {
        this.database = database;
        this.schema = schema;
        this.signature = signature;
    }

    /** The same, and what it changes is recorded in the name of this caller. */
    public PostgresRoutes as(String who) {
        return new PostgresRoutes(database, schema, new Signature(who));
    }

    /** Creates the route unless it is there already with the same filter. Returns whether it is new. */
    public boolean create(Route route) {
        return create(route, null);
    }

    /** The same, and if it is new and there is a reason, leaves a record of who created it and why. */
    public boolean create(Route route, @Nullable String reason) {
        return inTransaction("create route " + route.name() + " in schema", connection -> {
            boolean isNew = !create(connection, schema, List.of(route)).isEmpty();
            if (isNew && reason != null) {
                new PostgresActions(schema, signature)
                        .record(connection, new PostgresActions.Deed("create", route.name(), route.name(), reason, 1));
            }
            return isNew;
        });
    }

    /**
     * Creates those that are missing, together: {@link RouteStart#auto} means the same for all of them. Those that exist stay as
     * they are, whatever their filter.
     *
     * @return the new ones, each with where it starts
     */
    public List<Route> createMissing(List<Route> routes) {
        Set<String> known = list().stream().map(RouteStatus::name).collect(Collectors.toSet());
        List<Route> missing =
                routes.stream().filter(route -> !known.contains(route.name())).toList();
        return missing.isEmpty()
                ? List.of()
                : inTransaction("create the routes of schema", connection -> create(connection, schema, missing));
    }

    private <T> T inTransaction(String what, Connections.Work<T> work) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                connection.commit();
                return result;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw OperatorErrors.translate(what, schema, e);
        }
    }

    /** Creates those of them that are not there, and answers these with where they start. */
    static List<Route> create(Connection connection, Schema schema, List<Route> routes) throws SQLException {
        try (Statement lock = connection.createStatement()) {
            lock.execute("SELECT pg_advisory_xact_lock(hashtextextended('posthorn.route', 0))");
        }
        boolean first = !hasRoutes(connection, schema);
        List<Route> created = new ArrayList<>();
        for (Route route : routes) {
            Optional<StoredRoute> found = find(connection, schema, route.name());
            if (found.isPresent()) {
                requireSame(route, found.get().filter());
            } else {
                Route resolved = route.startingAt(route.start().resolved(first));
                insert(connection, schema, resolved);
                created.add(resolved);
            }
        }
        return created;
    }

    /** Whether the log has or had any: those that are retired count, too. */
    private static boolean hasRoutes(Connection connection, Schema schema) throws SQLException {
        try (PreparedStatement list = connection.prepareStatement(Sql.load("route_list", schema));
                ResultSet rows = list.executeQuery()) {
            return rows.next();
        }
    }

    private static void insert(Connection connection, Schema schema, Route route) throws SQLException {
        RestoredLog.requireHome(connection, schema);
        try (PreparedStatement create =
                connection.prepareStatement(PlainPlans.SET_LOCAL + "; " + Sql.load("route_create", schema))) {
            new Parameters(create)
                    .name(ROUTE, route.name())
                    .namesOrNull("domain", route.filter().domains())
                    .namesOrNull("type", route.filter().types())
                    .namesOrNull("tenant", route.filter().tenants())
                    .namesOrNull("excepted tenant", route.filter().exceptTenants())
                    .text("start", route.start().toString())
                    .time(route.start().time());
            create.execute();
        }
    }

    static void requireSame(Route asked, RouteFilter stored) {
        if (!asked.filter().equals(stored)) {
            throw new PosthornException("Route \"" + asked.name() + "\" exists with another filter: " + describe(stored)
                    + ", not " + describe(asked.filter())
                    + ". A route's filter stays as it is, or what was passed would be missing. Create another route.");
        }
    }

    private static String describe(RouteFilter filter) {
        if (filter.isAll()) {
            return "every event";
        }
        List<String> parts = new ArrayList<>();
        describe("domains", filter.domains(), parts);
        describe("types", filter.types(), parts);
        describe("tenants", filter.tenants(), parts);
        describe("all tenants but", filter.exceptTenants(), parts);
        return String.join(" and ", parts);
    }

    private static void describe(String what, Set<String> names, List<String> parts) {
        if (!names.isEmpty()) {
            parts.add(what + " " + names);
        }
    }

    static Optional<StoredRoute> find(Connection connection, Schema schema, String name) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(Sql.load("route_find", schema))) {
            new Parameters(find).name(ROUTE, name);
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? Optional.of(StoredRoute.of(row)) : Optional.empty();
            }
        }
    }

    /** Every route, by name. */
    public List<RouteStatus> list() {
        try (Connection connection = database.getConnection();
                PreparedStatement list = connection.prepareStatement(Sql.load("route_list", schema));
                ResultSet rows = list.executeQuery()) {
            List<RouteStatus> found = new ArrayList<>();
            while (rows.next()) {
                found.add(new RouteStatus(
                        rows.getString("name"),
                        StoredRoute.filterOf(rows),
                        rows.getString("start"),
                        rows.getTimestamp("created_at").toInstant(),
                        time(rows, "paused_at"),
                        time(rows, "retired_at")));
            }
            return found;
        } catch (SQLException e) {
            throw OperatorErrors.translate("list the routes of schema", schema, e);
        }
    }

    private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
        @Nullable Timestamp time = row.getTimestamp(column);
        return Optional.ofNullable(time).map(Timestamp::toInstant);
    }

    /** Nothing of it is published until it is resumed. Returns whether that is new. */
    public boolean pause(String route, @Nullable String reason) {
        return change("pause", route, reason);
    }

    /** It goes on where it was. Returns whether it was paused. */
    public boolean resume(String route, @Nullable String reason) {
        return change("resume", route, reason);
    }

    /** It is over for good: nothing is published, nothing is kept for it. Returns whether that is new. */
    public boolean retire(String route, String reason) {
        return change("retire", route, reason);
    }

    private boolean change(String verb, String route, @Nullable String reason) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = signature.prepare(connection, Sql.load("route_" + verb, schema))) {
            new Parameters(statement).name(ROUTE, route).remark(reason);
            try (ResultSet row = signature.run(statement)) {
                row.next();
                return row.getBoolean(1);
            }
        } catch (SQLException e) {
            throw OperatorErrors.translate(verb + " route " + route + " of schema", schema, e);
        }
    }
}
