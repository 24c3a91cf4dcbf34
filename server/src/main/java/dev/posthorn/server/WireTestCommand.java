package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.WireTest;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import dev.posthorn.relay.RouteFilter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "wire-test",
        description = {
            "Sends a marked event through a route and reports each hop: emitted, published, received by each consumer that was"
                    + " named. Consumers of Posthorn mark it in their inbox and call no handler, so it can be sent through a"
                    + " system at work; others see an event like any other.",
            "Ends with 1 if a hop is not reached in time, and says what stands in the way.",
            ""
        },
        footerHeading = "%nExample:%n",
        footer = "  posthorn wire-test --route main --domain transfers --type submitted.usdc --consumer gateway")
final class WireTestCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String DEFAULT_NAME = "wire-test";

    @Mixin
    private Database database = new Database();

    @Option(
            names = "--route",
            paramLabel = "NAME",
            defaultValue = "main",
            description = "The route to be tested. Default: ${DEFAULT-VALUE}.")
    private String route = "main";

    @Option(
            names = "--domain",
            paramLabel = "NAME",
            description =
                    "The event's domain, for which consumers are subscribed. Default: the first that the route wants.")
    private @Nullable String domain;

    @Option(
            names = "--type",
            paramLabel = "NAME",
            description = "The event's type. Default: the first that the route wants, or wire-test.")
    private @Nullable String type;

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            description = "The event's tenant. Default: the first of the route.")
    private @Nullable String tenant;

    @Option(names = "--key", paramLabel = "KEY", description = "The event's key. Default: one of its own.")
    private @Nullable String key;

    @Option(
            names = "--consumer",
            paramLabel = "NAME",
            description = "Also waits until this consumer has received it. May be repeated.")
    private List<String> consumers = List.of();

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How long to wait for all hops. Default: ${DEFAULT-VALUE}.")
    private Duration within = Duration.ofSeconds(30);

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        try (HikariDataSource source = database.connect(ANSWER)) {
            RouteStatus tested = routeOf(source);
            Event event = event(tested.filter());
            emit(source, event);
            WireTestWatch watch = new WireTestWatch(source, database.schema(), event.id(), route, consumers);
            long end = System.nanoTime() + within.toNanos();
            while (!watch.isOver() && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(LOOK);
            }
            output.print(watch::json, watch::text);
            return watch.isThrough() ? 0 : 1;
        }
    }

    private RouteStatus routeOf(DataSource source) {
        List<RouteStatus> routes = new PostgresRoutes(source, database.schema()).list();
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

    private Event event(RouteFilter filter) {
        UUID id = UUID.randomUUID();
        Event event = Event.of(chosen(domain, filter.domains()), chosen(type, filter.types()))
                .key(key != null ? key : "wire-test-" + id)
                .tenant(
                        tenant != null
                                ? tenant
                                : filter.tenants().stream().findFirst().orElse(null))
                .header(WireTest.HEADER, id.toString())
                .json("{\"wireTest\":true}")
                .build();
        if (!filter.wants(event)) {
            throw new PosthornException("Route \"" + route + "\" does not want an event of domain " + event.domain()
                    + " and type " + event.type()
                    + event.tenant().map(name -> " and tenant " + name).orElse("")
                    + ". Nothing was emitted. It wants domains " + orAll(filter.domains()) + ", types "
                    + orAll(filter.types()) + ", tenants " + orAll(filter.tenants()) + ".");
        }
        return event;
    }

    private static String chosen(@Nullable String given, Set<String> wanted) {
        return given != null ? given : wanted.stream().findFirst().orElse(DEFAULT_NAME);
    }

    private static String orAll(Set<String> names) {
        return names.isEmpty() ? "of all kinds" : String.join(", ", names);
    }

    private void emit(DataSource source, Event event) {
        PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(database.schema()));
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, List.of(event), EmitOption.WITH_COMMIT);
        } catch (SQLException e) {
            throw new PosthornException("The event of the test could not be emitted: " + e.getMessage(), e);
        }
    }
}
