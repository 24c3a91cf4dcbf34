package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.operations.Health;
import dev.posthorn.operations.Health.RouteHealth;
import dev.posthorn.relay.RelayStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How health is told. */
public final class HealthFormat {

    private HealthFormat() {}

    public static ObjectNode json(Health.Report report) {
        ObjectNode json = Json.object()
                .put("status", report.word())
                .put("live", report.live())
                .put("ready", report.ready())
                .put("degraded", report.degraded());
        json.set(
                "findings",
                Json.strings(report.findings().stream().map(Secrets::mask).toList()));
        json.set("publisher", publisher(report.routes()));
        json.set("routes", Json.array(report.routes(), HealthFormat::route));
        return json;
    }

    /** All routes together, for whoever knows only one. */
    private static ObjectNode publisher(List<RouteHealth> routes) {
        ObjectNode json = Json.object()
                .put("enabled", !routes.isEmpty())
                .put("connected", routes.isEmpty() ? null : routes.stream().allMatch(RouteHealth::isConnected))
                .put(
                        "last_tick_at",
                        Json.time(routes.stream().map(RouteHealth::lastTick).min(Comparator.naturalOrder())))
                .put("last_publish_at", Json.time(lastPublish(routes)))
                .put("last_error", lastError(routes).orElse(null));
        json.set("counts", counts(routes.stream().map(RouteHealth::status).toList()));
        return json;
    }

    private static ObjectNode route(RouteHealth route) {
        ObjectNode json = Json.object()
                .put("route", route.route())
                .put("connected", route.isConnected())
                .put("outage", route.status().outage().map(Secrets::mask).orElse(null))
                .put("lanes", route.status().lanes().size())
                .put("last_tick_at", route.lastTick().toString())
                .put("last_publish_at", Json.time(route.pulse().lastPublish()))
                .put("last_error", route.pulse().lastError().map(Secrets::mask).orElse(null))
                .put("last_error_at", Json.time(route.pulse().lastErrorAt()));
        json.set("counts", counts(List.of(route.status())));
        return json;
    }

    private static ObjectNode counts(List<RelayStatus> all) {
        return Json.object()
                .put(
                        "published",
                        all.stream().mapToLong(one -> one.totals().published()).sum())
                .put(
                        "failed_attempts",
                        all.stream()
                                .mapToLong(one -> one.totals().failedAttempts())
                                .sum())
                .put("dead", all.stream().mapToLong(one -> one.totals().dead()).sum())
                .put("under_way", all.stream().mapToInt(RelayStatus::held).sum())
                .put(
                        "blocked_keys",
                        all.stream().mapToInt(RelayStatus::blockedKeys).sum());
    }

    private static Optional<Instant> lastPublish(List<RouteHealth> routes) {
        return routes.stream()
                .flatMap(route -> route.pulse().lastPublish().stream())
                .max(Comparator.naturalOrder());
    }

    private static Optional<String> lastError(List<RouteHealth> routes) {
        return routes.stream()
                .filter(route -> route.pulse().lastErrorAt().isPresent())
                .max(Comparator.comparing(route -> route.pulse().lastErrorAt().orElse(Instant.EPOCH)))
                .flatMap(route -> route.pulse().lastError())
                .map(Secrets::mask);
    }
}
