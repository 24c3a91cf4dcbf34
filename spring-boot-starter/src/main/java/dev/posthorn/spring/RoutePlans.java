package dev.posthorn.spring;

import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RouteStart;
import dev.posthorn.spring.PosthornProperties.RetryProperties;
import dev.posthorn.spring.PosthornProperties.RouteProperties;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Routes from properties. */
final class RoutePlans {

    /** What one relay needs to know. */
    record Plan(Route route, RoutePolicy policy, Transport destination) {}

    private static final String MAIN = "main";

    private final PosthornProperties properties;
    private final Destinations destinations;

    RoutePlans(PosthornProperties properties, Destinations destinations) {
        this.properties = properties;
        this.destinations = destinations;
    }

    /** All routes. Where none is named, there is one for all events, unless consumers read the log itself. */
    List<Plan> read(List<String> faults) {
        if (properties.routes().isEmpty()) {
            RouteProperties all = new RouteProperties(
                    null, List.of(), List.of(), List.of(), "auto", "continue", RetryProperties.standard());
            return destinations.isOwnLog(null) ? List.of() : plans(Map.of(MAIN, all), faults);
        }
        return plans(properties.routes(), faults);
    }

    private List<Plan> plans(Map<String, RouteProperties> routes, List<String> faults) {
        List<Plan> plans = new ArrayList<>();
        routes.forEach((name, route) -> {
            String property = "posthorn.routes." + name;
            if (destinations.isOwnLog(route.transport())) {
                faults.add(property + ".transport is postgres-log, so events would go back into the log they come from;"
                        + " consumers read it without a route");
                return;
            }
            Optional<Transport> destination = destinations.find(route.transport(), property + ".transport", faults);
            plan(name, route, faults).ifPresent(plan -> destination.map(plan).ifPresent(plans::add));
        });
        return plans;
    }

    /** The plan but for where it leads, so that what is wrong with either is named; empty with one more fault. */
    private static Optional<Function<Transport, Plan>> plan(String name, RouteProperties given, List<String> faults) {
        try {
            Route route = new Route(
                    name,
                    new RouteFilter(
                            Set.copyOf(given.domains()), Set.copyOf(given.types()), Set.copyOf(given.tenants())),
                    RouteStart.parse(given.start()));
            RoutePolicy policy = new RoutePolicy(
                    Retries.of(given.retry(), RetryPolicy.ladder()), Map.of(), afterDead(given.afterDead()));
            return Optional.of(destination -> new Plan(route, policy, destination));
        } catch (IllegalArgumentException wrong) {
            faults.add("posthorn.routes." + name + ": " + wrong.getMessage());
            return Optional.empty();
        }
    }

    private static RoutePolicy.AfterDead afterDead(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "continue" -> RoutePolicy.AfterDead.CONTINUE;
            case "hold" -> RoutePolicy.AfterDead.HOLD;
            default ->
                throw new IllegalArgumentException("after-dead is \"" + text + "\", but must be continue or hold");
        };
    }
}
