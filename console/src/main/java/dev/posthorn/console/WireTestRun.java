package dev.posthorn.console;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.WireTest;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.RouteFilter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Sends a marked event through a route and watches each hop. */
public final class WireTestRun {

    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String DEFAULT_NAME = "wire-test";

    /** What the event is to be; null: the first that the route wants. */
    public record Mark(
            @Nullable String domain,
            @Nullable String type,
            @Nullable String tenant,
            @Nullable String key) {}

    private final DataSource database;
    private final Schema schema;

    public WireTestRun(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** Emits it and waits until it was everywhere where it should be, or this time is up. */
    public WireTestWatch run(String route, Mark mark, List<String> consumers, Duration within) {
        Event event = event(routeNamed(route), mark);
        emit(event);
        WireTestWatch watch = new WireTestWatch(database, schema, event.id(), route, consumers);
        long end = System.nanoTime() + within.toNanos();
        while (!watch.isOver() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK);
        }
        return watch;
    }

    private RouteStatus routeNamed(String route) {
        List<RouteStatus> routes = new PostgresRoutes(database, schema).list();
        return routes.stream()
                .filter(one -> one.name().equals(route) && one.retiredAt().isEmpty())
                .findFirst()
                .orElseThrow(() -> new PosthornException("There is no route \"" + route
                        + "\", or it is retired. Nothing was emitted. There are: "
                        + routes.stream()
                                .filter(one -> one.retiredAt().isEmpty())
                                .map(RouteStatus::name)
                                .toList()));
    }

    private static Event event(RouteStatus route, Mark mark) {
        RouteFilter filter = route.filter();
        UUID id = UUID.randomUUID();
        String tenant = mark.tenant();
        Event event = Event.of(chosen(mark.domain(), filter.domains()), chosen(mark.type(), filter.types()))
                .key(mark.key() != null ? mark.key() : "wire-test-" + id)
                .tenant(
                        tenant != null
                                ? tenant
                                : filter.tenants().stream().findFirst().orElse(null))
                .header(WireTest.HEADER, id.toString())
                .json("{\"wireTest\":true}")
                .build();
        if (!filter.wants(event)) {
            throw new PosthornException("Route \"" + route.name() + "\" does not want an event of domain "
                    + event.domain()
                    + " and type " + event.type()
                    + event.tenant().map(name -> " and tenant " + name).orElse("")
                    + ". Nothing was emitted. It wants domains " + orAll(filter.domains()) + ", types "
                    + orAll(filter.types()) + ", tenants " + orAll(filter.tenants())
                    + (filter.exceptTenants().isEmpty() ? "" : " but " + filter.exceptTenants()) + ".");
        }
        return event;
    }

    private static String chosen(@Nullable String given, Set<String> wanted) {
        return given != null ? given : wanted.stream().findFirst().orElse(DEFAULT_NAME);
    }

    private static String orAll(Set<String> names) {
        return names.isEmpty() ? "of all kinds" : String.join(", ", names);
    }

    private void emit(Event event) {
        PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(schema));
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, List.of(event), EmitOption.WITH_COMMIT);
        } catch (SQLException e) {
            throw new PosthornException("The event of the test could not be emitted: " + e.getMessage(), e);
        }
    }
}
