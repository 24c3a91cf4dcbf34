package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.operations.Health;
import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What is wrong, and how much there is of everything, in one object. What is not known is null, never 0. */
final class Overview {

    private Overview() {}

    static ObjectNode json(Standing standing, Health.Report health, Optional<History.Point> point, Instant now) {
        ObjectNode json = Json.object()
                .put("at", Json.time(standing.at()))
                .put(
                        "age_seconds",
                        standing.at()
                                .map(at -> History.seconds(Duration.between(at, now)))
                                .orElse(null))
                .put("stale", standing.trouble().isPresent());
        json.set("troubles", Json.array(Troubles.of(standing, health, now), Trouble::json));
        json.set("totals", totals(standing, point));
        if (standing.isKnown()) {
            json.set("routes", Json.array(standing.routes(), route -> route(standing, route, health)));
        } else {
            json.putNull("routes");
        }
        return json;
    }

    private static ObjectNode totals(Standing standing, Optional<History.Point> point) {
        ObjectNode json = count(Json.object(), "waiting", standing.waiting());
        json.put("oldest_seconds", standing.oldest().map(History::seconds).orElse(null));
        count(json, "dead", standing.allDead())
                .put("blocked_keys", standing.blockedKeys().orElse(null))
                .put("published_per_second", History.number(standing.publishedPerSecond()))
                .put("emitted_per_second", History.number(point.flatMap(History.Point::emitted)));
        standing.rest()
                .lag()
                .ifPresentOrElse(
                        lag -> json.put("lag_p50_seconds", History.seconds(lag.p50()))
                                .put("lag_p99_seconds", History.seconds(lag.p99())),
                        () -> json.putNull("lag_p50_seconds").putNull("lag_p99_seconds"));
        return json.put(
                "consumer_lag_seconds",
                standing.consumerLag().map(History::seconds).orElse(null));
    }

    private static ObjectNode count(ObjectNode json, String name, Optional<Count> count) {
        return json.put(name, count.map(Count::number).orElse(null))
                .put(name + "_is_exact", count.map(Count::exact).orElse(null));
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
                .ifPresent(route -> count(json, "waiting", Optional.of(route.waiting()))
                        .put("lag_seconds", History.seconds(route.lag()))
                        .put("oldest_seconds", History.seconds(route.oldest()))
                        .put("standing_seconds", History.seconds(route.standing()))
                        .put("scheduled", route.scheduled().number())
                        .put("lanes", route.lanes().size())
                        .put("lanes_held", route.held())
                        .put("blocked_keys", route.blockedKeys().number())
                        .put("held_keys", route.heldKeys()));
        count(json, "dead", standing.deadOn(name));
        json.put("here", health.routes().stream().anyMatch(one -> one.route().equals(name)));
        Optional<Breaker> breaker = Breaker.of(name, standing, health);
        return json.put("breaker", breaker.map(Breaker::word).orElse(null))
                .put(
                        "outage",
                        breaker.flatMap(Breaker::outage).map(Secrets::mask).orElse(null));
    }
}
