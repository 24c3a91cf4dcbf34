package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.StatusFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Routes, for people. */
final class RoutesText {

    /** Whoever pauses a route for longer has perhaps forgotten it; meanwhile the log grows. */
    private static final Duration LONG = Duration.ofDays(1);

    private RoutesText() {}

    static String of(JsonNode answer, Instant now) {
        List<JsonNode> routes = Fields.each(answer, "routes");
        return routes.isEmpty()
                ? "There is no route yet. A relay creates one, or: posthorn routes create NAME"
                : routes.stream().map(route -> route(route, now)).collect(Collectors.joining("\n"));
    }

    private static String route(JsonNode route, Instant now) {
        String name = route.path("name").asText();
        String filter = Stream.of("domains", "types", "tenants", "except_tenants")
                .filter(what -> !route.path(what).isEmpty())
                .map(what -> (what.equals("except_tenants") ? "all tenants but" : what) + " "
                        + String.join(" ", Fields.texts(route, what)))
                .collect(Collectors.joining(", "));
        return name + ": " + (filter.isEmpty() ? "every event" : filter) + ", from "
                + route.path("start").asText() + state(route, name, now);
    }

    /** Whether it publishes nothing, and what to do about that. */
    static String state(JsonNode route, String name, Instant now) {
        if (route.hasNonNull("retired_at")) {
            return " retired " + Fields.ago(route, "retired_at", now) + " ago;";
        }
        Optional<Instant> paused = Fields.time(route, "paused_at");
        if (paused.isEmpty()) {
            return "";
        }
        boolean isLong = Duration.between(paused.get(), now).compareTo(LONG) > 0;
        return " PAUSED for " + StatusFormat.ago(paused.get(), now)
                + (isLong ? ", so nothing is pruned: posthorn routes resume " + name + ", or retire it;" : ";");
    }
}
