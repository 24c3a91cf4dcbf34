package dev.posthorn.spring;

import dev.posthorn.operations.DestinationWatch;
import dev.posthorn.operations.RelayMetrics;
import dev.posthorn.postgres.PostgresDestinations;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.PostgresReplays;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.ReplayLoop;
import dev.posthorn.relay.Loop;
import dev.posthorn.relay.MemoryBudget;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Target;
import dev.posthorn.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.unit.DataSize;

/** The relays of this application: one for each route, started and stopped with it. */
final class Relays implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Relays.class);

    /** A relay with what replays its route. */
    private record Running(String route, Relay relay, ReplayLoop replaying) {

        void stop(Duration drainTime) {
            relay.close(drainTime);
            replaying.close();
        }
    }

    /** What properties say of all relays; confirmed: routes may publish elsewhere than before. */
    record Settings(PosthornRelayProperties relay, boolean confirmed) {}

    private final LogPlace place;
    private final PosthornRelayProperties properties;
    private final RoutePlans plans;
    private final Lookout lookout;
    private final String name;
    private final List<Running> running = new CopyOnWriteArrayList<>();
    private final boolean confirmed;
    private @Nullable Loop watching;
    private volatile boolean started;

    Relays(LogPlace place, Settings settings, RoutePlans plans, Lookout lookout, String name) {
        this.place = place;
        this.properties = settings.relay();
        this.confirmed = settings.confirmed();
        this.plans = plans;
        this.lookout = lookout;
        this.name = name;
    }

    /** Something was committed. Cheap; never blocks. */
    void wakeUp() {
        running.forEach(one -> one.relay().wakeUp());
    }

    /** Adds what is wrong with the properties of routes. */
    void check(List<String> faults) {
        if (properties.enabled()) {
            var unused = plans.read(faults);
        }
    }

    @Override
    public void start() {
        if (properties.enabled()) {
            List<String> faults = new ArrayList<>();
            List<RoutePlans.Plan> wanted = plans.read(faults);
            InvalidPropertiesException.throwIfAny(faults);
            createRoutes(wanted);
            PostgresDestinations destinations = new PostgresDestinations(place.database(), place.schema());
            settle(destinations, wanted);
            @Nullable DataSize memory = properties.memory();
            if (memory != null) {
                MemoryBudget.ofProcess().setLimit(memory.toBytes());
            }
            wanted.forEach(plan -> running.add(start(plan)));
            DestinationWatch watch = new DestinationWatch(destinations);
            wanted.forEach(plan -> watch.watch(plan.route().name(), plan.place().orElse(""), plan.destination()));
            lookout.warn(watch::warnings);
            watching = watch.start();
        }
        started = true;
    }

    /** A route that published elsewhere before needs a confirmation; all of them are named at once. */
    private void settle(PostgresDestinations destinations, List<RoutePlans.Plan> wanted) {
        List<String> refusals = new ArrayList<>();
        for (RoutePlans.Plan plan : wanted) {
            String route = plan.route().name();
            plan.place().ifPresent(to -> {
                if (confirmed && destinations.redirect(route, to, "confirmed at a start")) {
                    LOG.info("Route {} publishes to {} from now on", route, to);
                }
                destinations
                        .refusal(route, to, "posthorn.confirm-destination=true")
                        .ifPresent(why -> refusals.add("posthorn.routes." + route + ".transport: " + why));
            });
        }
        InvalidPropertiesException.throwIfAny(refusals);
    }

    private Running start(RoutePlans.Plan plan) {
        Transport destination = plan.destination();
        Relay relay = relay(plan, destination);
        ReplayLoop replaying = ReplayLoop.start(new ReplayStep.Parts(
                name,
                Target.route(plan.route().name()),
                new PostgresReplays(place.database(), place.schema()),
                destination.publisher(),
                ReplayConfig.standard().withTtl(properties.leaseTtl())));
        return new Running(plan.route().name(), relay, replaying);
    }

    private Relay relay(RoutePlans.Plan plan, Transport destination) {
        String route = plan.route().name();
        RelayMetrics metrics = lookout.metricsOf(route);
        RoutePolicy policy = plan.policy();
        Relay relay = Relay.start(
                metrics.around(open(plan.route())),
                metrics.around(destination.publisher()),
                properties.config(),
                policy);
        lookout.watch(route, metrics, relay);
        LOG.info("Route {} goes to {}", route, destination.name());
        return relay;
    }

    /** All of them before the first relay starts, so that the first routes of a log start at the same place. */
    private void createRoutes(List<RoutePlans.Plan> wanted) {
        new PostgresRoutes(place.database(), place.schema())
                .createMissing(wanted.stream().map(RoutePlans.Plan::route).toList())
                .forEach(route -> LOG.info("Created route {}, which starts at {}", route.name(), route.start()));
    }

    /** A plan without a filter takes the route as it is. */
    private Relay.Stores open(Route route) {
        return route.filter().isAll()
                ? PostgresRelayStores.open(place.database(), place.schema(), route.name(), name)
                : PostgresRelayStores.open(place.database(), place.schema(), route, name);
    }

    /** Side by side: each may take its time, and whoever ends the process has a limit. */
    @Override
    public void stop() {
        Loop watch = watching;
        if (watch != null) {
            watch.close();
        }
        running.parallelStream().forEach(one -> one.stop(properties.drainTime()));
        running.forEach(one -> lookout.forget(one.route()));
        running.clear();
        started = false;
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    @Override
    public int getPhase() {
        return Phases.RELAYS;
    }
}
