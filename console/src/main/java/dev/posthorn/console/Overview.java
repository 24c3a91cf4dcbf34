package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.operations.Health;
import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import java.util.Optional;

/** What is wrong, and how much there is of everything, in one object. */
final class Overview {

    private Overview() {}

    static ObjectNode json(Standing standing, Health.Report health, Optional<History.Point> point) {
        ObjectNode json = Json.object().put("at", standing.at().toString());
        json.set("troubles", Json.array(Troubles.of(standing, health), Trouble::json));
        json.set("totals", totals(standing, point));
        json.set("routes", Json.array(standing.routes(), route -> route(standing, route, health)));
        return json;
    }

    private static ObjectNode totals(Standing standing, Optional<History.Point> point) {
        Count waiting = standing.waiting();
        ObjectNode json = Json.object()
                .put("waiting", waiting.number())
                .put("waiting_is_exact", waiting.exact())
                .put("oldest_seconds", History.seconds(standing.oldest()))
                .put("dead", standing.allDead())
                .put("blocked_keys", standing.blockedKeys())
                .put(
                        "published_per_second",
                        History.rounded(point.map(History.Point::published).orElse(0.0)))
                .put(
                        "emitted_per_second",
                        History.rounded(point.map(History.Point::emitted).orElse(0.0)));
        standing.rest()
                .lag()
                .ifPresentOrElse(
                        lag -> json.put("lag_p50_seconds", History.seconds(lag.p50()))
                                .put("lag_p99_seconds", History.seconds(lag.p99())),
                        () -> json.putNull("lag_p50_seconds").putNull("lag_p99_seconds"));
        return json.put("consumer_lag_seconds", History.seconds(standing.consumerLag()));
    }

    private static ObjectNode route(Standing standing, RouteFigures route, Health.Report health) {
        ObjectNode json = Json.object().put("route", route.route()).put("paused", route.paused());
        return figures(json, standing, route.route(), health);
    }

    /** Adds what is known of a route beyond its settings: nothing but its name need be known. */
    static ObjectNode figures(ObjectNode json, Standing standing, String name, Health.Report health) {
        standing.routes().stream()
                .filter(one -> one.route().equals(name))
                .findFirst()
                .ifPresent(route -> {
                    Count waiting = standing.waitingOn(route);
                    json.put("waiting", waiting.number())
                            .put("waiting_is_exact", waiting.exact())
                            .put("lag_seconds", History.seconds(route.lag()))
                            .put("oldest_seconds", History.seconds(standing.oldestOn(route)))
                            .put("standing_seconds", History.seconds(route.standing()))
                            .put("lanes", route.lanes().all())
                            .put("lanes_held", route.lanes().held());
                });
        standing.offWayOf(name)
                .ifPresent(offWay ->
                        json.put("blocked_keys", offWay.blockedKeys().number()).put("held_keys", offWay.heldKeys()));
        json.put("dead", standing.deadOn("route", name));
        json.put("here", health.routes().stream().anyMatch(one -> one.route().equals(name)));
        Optional<Breaker> breaker = Breaker.of(name, standing, health);
        return json.put("breaker", breaker.map(Breaker::word).orElse(null))
                .put(
                        "outage",
                        breaker.flatMap(Breaker::outage).map(Secrets::mask).orElse(null));
    }
}
