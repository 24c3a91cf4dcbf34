package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import dev.posthorn.relay.RouteFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Routes, for people and for programs. */
final class RoutesFormat {

    /** Whoever pauses a route for longer has perhaps forgotten it; meanwhile the log grows. */
    private static final Duration LONG = Duration.ofDays(1);

    private RoutesFormat() {}

    static String text(List<RouteStatus> routes, Instant now) {
        if (routes.isEmpty()) {
            return "There is no route yet. A relay creates one, or: posthorn routes create NAME";
        }
        StringBuilder text = new StringBuilder();
        routes.forEach(route -> text.append(text(route, now)).append('\n'));
        return text.toString();
    }

    private static String text(RouteStatus route, Instant now) {
        return route.name() + ": " + filter(route.filter()) + ", from " + route.start() + state(route, now);
    }

    /** Whether it publishes nothing, and what to do about that. */
    static String state(RouteStatus route, Instant now) {
        if (route.retiredAt().isPresent()) {
            return " retired " + StatusFormat.ago(route.retiredAt().get(), now) + " ago;";
        }
        if (route.pausedAt().isEmpty()) {
            return "";
        }
        Instant since = route.pausedAt().get();
        return " PAUSED for " + StatusFormat.ago(since, now)
                + (isLong(since, now)
                        ? ", so nothing is pruned: posthorn routes resume " + route.name() + ", or retire it;"
                        : ";");
    }

    private static boolean isLong(Instant pausedAt, Instant now) {
        return Duration.between(pausedAt, now).compareTo(LONG) > 0;
    }

    private static String filter(RouteFilter filter) {
        List<String> parts = new ArrayList<>();
        add(parts, "domains", filter.domains());
        add(parts, "types", filter.types());
        add(parts, "tenants", filter.tenants());
        return parts.isEmpty() ? "every event" : String.join(", ", parts);
    }

    private static void add(List<String> parts, String what, Set<String> names) {
        if (!names.isEmpty()) {
            parts.add(what + " " + String.join(" ", names));
        }
    }

    static ObjectNode list(List<RouteStatus> routes) {
        ObjectNode node = Json.object();
        node.set("routes", Json.array(routes, RoutesFormat::route));
        return node;
    }

    private static ObjectNode route(RouteStatus route) {
        ObjectNode node = Json.object()
                .put("name", route.name())
                .put("start", route.start())
                .put("created_at", route.createdAt().toString())
                .put("paused_at", Json.time(route.pausedAt()))
                .put("retired_at", Json.time(route.retiredAt()));
        node.set("domains", Json.strings(route.filter().domains()));
        node.set("types", Json.strings(route.filter().types()));
        node.set("tenants", Json.strings(route.filter().tenants()));
        return node;
    }
}
