package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Retention;
import dev.posthorn.event.PosthornException;
import dev.posthorn.operations.DestinationWatch;
import dev.posthorn.operations.RelayMetrics;
import dev.posthorn.postgres.PostgresDestinations;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.PostgresReplays;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.ReplayLoop;
import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SchemaWatch;
import dev.posthorn.relay.Loop;
import dev.posthorn.relay.MemoryBudget;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteStart;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Target;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * One process with a relay for each route of its plan, until it is told to end.
 *
 * <p>Routes that name the same transport share it. All of them share the pool of connections.
 */
final class RelayProcess {

    private static final Logger LOG = LoggerFactory.getLogger(RelayProcess.class);
    private static final Duration STATUS_PAUSE = Duration.ofSeconds(10);
    private static final Duration LOOK_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);
    private static final int CONNECTIONS_OF_A_ROUTE = 4;
    private static final int OTHER_CONNECTIONS = 3;

    private final RelayPlan plan;
    private final boolean json;
    private final CommandLine command;
    private final Telemetry telemetry;
    private final Map<String, Transport> transports = new ConcurrentHashMap<>();
    private final List<Running> running = new CopyOnWriteArrayList<>();
    private volatile @Nullable HikariDataSource pool;
    private volatile @Nullable Claims claims;
    private volatile @Nullable Loop watching;

    /** The connections of this process, and the watch over the schema that they lead to. */
    private record OpenSchema(HikariDataSource pool, SchemaWatch watch) {}

    /** A route at work. */
    private record Running(Relay relay, ReplayLoop replaying, RelayReport report, String transport) {

        void stop() {
            relay.close();
            replaying.close();
            report.stopped();
        }
    }

    RelayProcess(RelayPlan plan, boolean json, CommandLine command) {
        this.plan = plan;
        this.json = json;
        this.command = command;
        this.telemetry = new Telemetry(plan);
    }

    void run() throws InterruptedException {
        plan.start().memory().ifPresent(megabytes -> MemoryBudget.ofProcess().setLimit((long) megabytes << 20));
        DatabaseWait absent = new DatabaseWait(plan.start().patience(), command.getErr());
        Thread atTheEnd = new Thread(this::end, "posthorn-shutdown");
        try {
            telemetry.answer(); // it lives also while it waits for its database
            OpenSchema opened = absent.until(this::openSchema);
            HikariDataSource connected = opened.pool();
            pool = connected;
            telemetry.look(connected, opened.watch());
            Runtime.getRuntime().addShutdownHook(atTheEnd);
            plan.routes().stream()
                    .flatMap(route -> route.passage().claims().stream())
                    .findFirst() // the same for all routes
                    .ifPresent(check -> claims = Claims.open(check, connected, schema()));
            startAll(absent, connected);
            plan.pruning().every().ifPresent(every -> prune(connected, every));
        } catch (RuntimeException failure) {
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
            close();
            throw failure;
        }
        String place = plan.database().url().toString();
        running.forEach(route -> route.report().started(route.transport(), place));
        watch();
        LOG.warn("Every route of this relay is retired, so the process ends");
        Runtime.getRuntime().removeShutdownHook(atTheEnd);
        close();
    }

    /** Until every route is retired. */
    private void watch() throws InterruptedException {
        long nextStatus = System.nanoTime() + STATUS_PAUSE.toNanos();
        while (!running.isEmpty()) {
            Thread.sleep(LOOK_PAUSE.toMillis());
            running.stream().filter(route -> route.relay().hasEnded()).forEach(this::stop);
            if (System.nanoTime() - nextStatus >= 0) {
                running.forEach(route -> route.report().status());
                nextStatus += STATUS_PAUSE.toNanos();
            }
        }
    }

    private void stop(Running route) {
        if (running.remove(route)) {
            route.stop();
        }
    }

    private void startAll(DatabaseWait absent, HikariDataSource pool) throws InterruptedException {
        PostgresDestinations destinations = new PostgresDestinations(pool, schema());
        DestinationWatch watch = new DestinationWatch(destinations);
        absent.until(() -> createRoutes(pool));
        absent.until(() -> settle(destinations));
        for (RelayPlan.RoutePlan route : plan.routes()) {
            RelayPlan.TransportPlan wanted = route.transport();
            Transport destination = transports.computeIfAbsent(wanted.name(), name -> open(wanted, destinations));
            watch.watch(route.route().name(), wanted.place(), destination);
            Relay.Stores stores = absent.until(() -> openRoute(pool, route));
            running.add(start(route, stores, destination, pool));
        }
        telemetry.warn(watch::warnings);
        watching = watch.start();
    }

    /** A route that published elsewhere before needs a confirmation; all of them are named at once. */
    private boolean settle(PostgresDestinations destinations) {
        List<String> refusals = new ArrayList<>();
        for (RelayPlan.RoutePlan route : plan.routes()) {
            String name = route.route().name();
            String place = route.transport().place();
            if (plan.start().confirmed() && destinations.redirect(name, place, "confirmed at a start")) {
                LOG.info("Route {} publishes to {} from now on", name, place);
            }
            destinations.refusal(name, place, "--confirm-destination").ifPresent(refusals::add);
        }
        if (!refusals.isEmpty()) {
            throw new PosthornException(String.join("\n", refusals));
        }
        return true;
    }

    private OpenSchema openSchema() {
        Duration third = plan.config().leaseTtl().dividedBy(3);
        HikariDataSource pool = plan.database()
                .pool(
                        plan.name(),
                        third.compareTo(LONGEST_PATIENCE) > 0 ? LONGEST_PATIENCE : third,
                        CONNECTIONS_OF_A_ROUTE * plan.routes().size() + OTHER_CONNECTIONS);
        try {
            SchemaWatch watch = new SchemaWatch(pool, schema());
            watch.prepare(
                    plan.start().migrating().wanted(), plan.start().migrating().setting());
            return new OpenSchema(pool, watch);
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    private Transport open(RelayPlan.TransportPlan transport, PostgresDestinations destinations) {
        return transport
                .choice()
                .open(new TransportChoice.Settings(
                        plan.name(),
                        transport.prefix(),
                        transport.layout(),
                        transport.names(),
                        transport.properties(),
                        new Provisioning(transport.provision(), destinations.register(transport.place()))));
    }

    /** All of them before the first relay starts, so that the first routes of a log start at the same place. */
    private List<Route> createRoutes(HikariDataSource pool) {
        List<Route> created = new PostgresRoutes(pool, schema())
                .createMissing(
                        plan.routes().stream().map(RelayPlan.RoutePlan::route).toList());
        created.forEach(route -> {
            LOG.info("Created route {}, which starts at {}", route.name(), route.start());
            warnOfEarlierEvents(route, new PostgresEvents(pool, schema()));
        });
        return created;
    }

    /** A plan without a filter takes the route as it is. */
    private Relay.Stores openRoute(HikariDataSource pool, RelayPlan.RoutePlan route) {
        Route wanted = route.route();
        return route.filters()
                ? PostgresRelayStores.open(pool, schema(), wanted, plan.name())
                : PostgresRelayStores.open(pool, schema(), wanted.name(), plan.name());
    }

    /** Events that were emitted before a later route started would be waited for in vain. */
    private static void warnOfEarlierEvents(Route created, PostgresEvents events) {
        if (created.start().equals(RouteStart.now()) && events.ends().isPresent()) {
            LOG.warn(
                    "Route {} starts at now, and there are events in the log already, which it does not publish. To publish"
                            + " them, start a replay into it, or create a route that starts at the beginning",
                    created.name());
        }
    }

    private Running start(
            RelayPlan.RoutePlan route, Relay.Stores stores, Transport destination, HikariDataSource pool) {
        String name = route.route().name();
        Relay relay = start(route, stores, publisher(route, destination));
        ReplayLoop replaying = ReplayLoop.start(new ReplayStep.Parts(
                plan.name(),
                Target.route(name),
                new PostgresReplays(pool, schema()),
                publisher(route, destination),
                ReplayConfig.standard().withTtl(plan.config().leaseTtl())));
        RelayReport report = new RelayReport(relay, plan.name(), name, json, command.getOut()::println);
        return new Running(relay, replaying, report, destination.name());
    }

    private Publisher publisher(RelayPlan.RoutePlan route, Transport destination) {
        return route.passage().to(destination, Optional.ofNullable(claims));
    }

    /** With metrics around its ports where someone may ask for them. */
    private Relay start(RelayPlan.RoutePlan route, Relay.Stores stores, Publisher publisher) {
        if (!telemetry.isOn()) {
            return Relay.start(stores, publisher, plan.config(), route.policy());
        }
        RelayMetrics metrics = telemetry.of(route.route().name());
        Relay relay = Relay.start(
                metrics.around(stores),
                telemetry.tenants(route.route().name(), metrics.around(publisher)),
                plan.config(),
                route.policy());
        telemetry.watch(route.route().name(), metrics, relay);
        return relay;
    }

    private void prune(HikariDataSource pool, Duration every) {
        Retention retention = plan.pruning().retention();
        retention.warnings().forEach(LOG::warn);
        Housekeeping.start(
                new Housekeeping.Work(
                        retention.pruner(pool, schema()),
                        retention.inboxPruner(pool, schema()),
                        Optional.ofNullable(claims).map(Claims::collector)),
                every,
                telemetry.pruning());
    }

    private Schema schema() {
        return plan.database().schema();
    }

    /** Runs when the process is told to end. Halts because a process ended by a signal would not exit with 0. */
    private void end() {
        int code = 1;
        try {
            close();
            code = 0;
        } finally {
            command.getOut().flush();
            Runtime.getRuntime().halt(code);
        }
    }

    /** Routes drain side by side: each may take its time, and whoever ends the process has a limit. */
    private void close() {
        Loop watch = watching;
        if (watch != null) {
            watch.close();
        }
        running.parallelStream().forEach(Running::stop);
        transports.values().forEach(Transport::close);
        Claims open = claims;
        if (open != null) {
            open.close();
        }
        telemetry.close();
        HikariDataSource connected = pool;
        if (connected != null) {
            connected.close();
        }
    }
}
