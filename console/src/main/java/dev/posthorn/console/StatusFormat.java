package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresInspection.BlockedKey;
import dev.posthorn.postgres.PostgresInspection.LaneStatus;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import dev.posthorn.postgres.PostgresInspection.OffWay;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import dev.posthorn.relay.RelayStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How the routes stand. */
public final class StatusFormat {

    private StatusFormat() {}

    public static String ago(Instant since, Instant now) {
        return rounded(Duration.between(since, now));
    }

    public static String rounded(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        return seconds < 120 ? seconds + "s" : seconds < 7_200 ? seconds / 60 + "m" : seconds / 3_600 + "h";
    }

    public static ObjectNode json(StatusFindings found) {
        ObjectNode node = Json.object();
        node.set("routes", Json.array(found.routes(), route -> route(found, route)));
        node.put("restored", found.log().restored());
        node.set(
                "unrouted",
                Json.array(
                        found.log().unrouted(),
                        one -> Json.object().put("kind", one.kind()).put("events", one.events())));
        node.set("notes", Json.strings(found.log().notes()));
        return node;
    }

    private static ObjectNode route(StatusFindings found, OffWay route) {
        String name = route.route();
        ObjectNode node = Json.object()
                .put("route", name)
                .put("paused_at", Json.time(found.settingsOf(name).flatMap(RouteStatus::pausedAt)))
                .put("retired_at", Json.time(found.settingsOf(name).flatMap(RouteStatus::retiredAt)))
                .put("waiting", found.waiting(name).number())
                .put("waiting_is_exact", found.waiting(name).exact())
                .put("waiting_since", Json.time(found.waitingSince(name)))
                .put("blocked_keys", route.blockedKeys())
                .put("dead", route.dead())
                .put("scheduled", found.scheduled(name).number())
                .put("published_per_second", rounded(found.publishedPerSecond(name)))
                .put(
                        "lag_p50_seconds",
                        found.lagOf(name).map(lag -> seconds(lag.p50())).orElse(null))
                .put(
                        "lag_p99_seconds",
                        found.lagOf(name).map(lag -> seconds(lag.p99())).orElse(null))
                .put(
                        "breaker",
                        found.isBreakerOpen(name)
                                .map(open -> open ? "open" : "closed")
                                .orElse(null))
                .put("outage", found.outage(name).map(Secrets::mask).orElse(null));
        node.set("warnings", Json.strings(found.warningsOf(name)));
        node.set("lanes", Json.array(found.lanesOf(name), StatusFormat::lane));
        node.set("relays", Json.array(found.relaysOf(name), StatusFormat::relay));
        node.set("longest_blocked", Json.array(found.blockedOf(name), StatusFormat::key));
        return node;
    }

    /** Every lane, each with its route. */
    static ObjectNode lanes(List<LaneStatus> lanes) {
        ObjectNode node = Json.object();
        node.set("lanes", Json.array(lanes, lane -> lane(lane).put("route", lane.route())));
        return node;
    }

    /** Every relay, each with its route. */
    public static ObjectNode relays(List<LiveRelay> relays) {
        ObjectNode node = Json.object();
        node.set("relays", Json.array(relays, relay -> relay(relay).put("route", relay.route())));
        return node;
    }

    private static String word(RelayStatus.Obstacle obstacle) {
        return obstacle.name().toLowerCase(Locale.ROOT);
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static double rounded(double perSecond) {
        return Math.round(perSecond * 10) / 10.0;
    }

    private static ObjectNode lane(LaneStatus lane) {
        return Json.object()
                .put("lane", lane.lane())
                .put("owner", lane.owner().orElse(null))
                .put("epoch", lane.figures().epoch())
                .put("waiting", lane.waiting())
                .put("waiting_is_exact", lane.figures().waiting().exact())
                .put("waiting_since", Json.time(lane.figures().oldestSince()))
                .put("moved_at", lane.figures().movedAt().toString());
    }

    public static ObjectNode relay(LiveRelay relay) {
        return Json.object()
                .put("name", relay.name())
                .put("lanes", relay.lanes())
                .put("started_at", relay.startedAt().toString())
                .put("seen_at", relay.seenAt().toString())
                .put("silent_seconds", seconds(relay.silent()))
                .put("alive", relay.isAlive())
                .put("published", relay.work().published())
                .put("published_per_second", rounded(relay.work().perSecond()))
                .put("obstacle", relay.work().obstacle().map(StatusFormat::word).orElse(null))
                .put("outage", relay.work().outage().map(Secrets::mask).orElse(null));
    }

    public static ObjectNode key(BlockedKey key) {
        return Json.object()
                .put("key", key.key())
                .put("lane", key.lane())
                .put("held", key.held())
                .put("blocked_since", key.since().toString())
                .put("attempts", key.setback().attempts())
                .put("next_attempt", Json.future(key.setback().nextAttempt()))
                .put("last_error", key.setback().lastError().orElse(null));
    }
}
