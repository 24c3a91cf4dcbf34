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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Routes from properties. */
final class RoutePlans {

    /**
     * What one relay needs to know.
     *
     * @param place where it publishes, without secrets, if that is known
     */
    record Plan(Route route, RoutePolicy policy, Transport destination, Optional<String> place) {}

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
                    null, List.of(), List.of(), List.of(), "auto", "continue", RetryProperties.standard(), Map.of());
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
            plan(name, route, faults)
                    .ifPresent(plan -> destination.ifPresent(to -> plans.add(
                            new Plan(plan.route(), plan.policy(), to, destinations.placeOf(route.transport())))));
        });
        return plans;
    }

    private record Settings(Route route, RoutePolicy policy) {}

    /** The plan but for where it leads, so that what is wrong with either is named; empty with more faults. */
    private static Optional<Settings> plan(String name, RouteProperties given, List<String> faults) {
        PropertyReader read = new PropertyReader("posthorn.routes." + name, faults);
        Optional<RouteStart> start = read.read("start", () -> RouteStart.parse(given.start()));
        Optional<RoutePolicy.AfterDead> afterDead = read.read("after-dead", () -> afterDead(given.afterDead()));
        Optional<RetryPolicy> retry = Retries.of(given.retry(), RetryPolicy.ladder(), read);
        Map<String, RetryPolicy> byType = new HashMap<>();
        given.retryByType()
                .forEach((type, policy) -> read.read("retry-by-type." + type, () -> RetryPolicy.named(policy))
                        .ifPresent(found -> byType.put(type, found)));
        Optional<Route> route = read.read(
                "",
                () -> new Route(
                        name,
                        new RouteFilter(
                                Set.copyOf(given.domains()), Set.copyOf(given.types()), Set.copyOf(given.tenants())),
                        start.orElse(RouteStart.auto())));
        return read.isFine()
                ? Optional.of(new Settings(
                        route.orElseThrow(), new RoutePolicy(retry.orElseThrow(), byType, afterDead.orElseThrow())))
                : Optional.empty();
    }

    private static RoutePolicy.AfterDead afterDead(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "continue" -> RoutePolicy.AfterDead.CONTINUE;
            case "hold" -> RoutePolicy.AfterDead.HOLD;
            default -> throw new IllegalArgumentException("it is \"" + text + "\", but must be continue or hold");
        };
    }
}
