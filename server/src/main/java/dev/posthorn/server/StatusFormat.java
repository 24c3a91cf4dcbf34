package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresInspection.BlockedKey;
import dev.posthorn.postgres.PostgresInspection.LaneStatus;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import dev.posthorn.postgres.PostgresInspection.OffWay;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import dev.posthorn.server.StatusCommand.Findings;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How the routes stand, for people and for programs. */
final class StatusFormat {

    private StatusFormat() {}

    static String text(Findings found, Instant now) {
        if (found.routes().isEmpty()) {
            return "There is no route yet. The first relay creates one: posthorn relay --help";
        }
        StringBuilder text = new StringBuilder();
        for (OffWay route : found.routes()) {
            append(text, found, route, now);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Findings found, OffWay route, Instant now) {
        String name = route.route();
        text.append(String.format(
                Locale.ROOT,
                "route %s:%s %s%,d waiting%s, %,d keys blocked, %,d dead, %,d scheduled; %d of %d lanes held%n",
                name,
                found.settingsOf(name)
                        .map(settings -> RoutesFormat.state(settings, now))
                        .orElse(""),
                found.isCounted(name) ? "" : "at least ",
                found.waiting(name),
                found.waitingSince(name).map(since -> " for " + ago(since, now)).orElse(""),
                route.blockedKeys(),
                route.dead(),
                route.scheduled(),
                found.held(name),
                found.lanesOf(name).size()));
        for (LiveRelay relay : found.relaysOf(name)) {
            text.append(String.format(
                    "  relay %s: %d lanes, seen %s ago%n", relay.name(), relay.lanes(), rounded(relay.silent())));
        }
        for (BlockedKey key : found.blockedOf(name)) {
            text.append(String.format(
                    "  key %s: %s for %s, %d attempts%s%n",
                    key.key(),
                    key.held() ? "held" : "blocked",
                    ago(key.since(), now),
                    key.setback().attempts(),
                    key.setback().lastError().map(why -> ", " + why).orElse("")));
        }
    }

    static String ago(Instant since, Instant now) {
        return rounded(Duration.between(since, now));
    }

    static String rounded(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        return seconds < 120 ? seconds + "s" : seconds < 7_200 ? seconds / 60 + "m" : seconds / 3_600 + "h";
    }

    static ObjectNode json(Findings found) {
        ObjectNode node = Json.object();
        node.set("routes", Json.array(found.routes(), route -> route(found, route)));
        return node;
    }

    private static ObjectNode route(Findings found, OffWay route) {
        String name = route.route();
        ObjectNode node = Json.object()
                .put("route", name)
                .put("paused_at", Json.time(found.settingsOf(name).flatMap(RouteStatus::pausedAt)))
                .put("retired_at", Json.time(found.settingsOf(name).flatMap(RouteStatus::retiredAt)))
                .put("waiting", found.waiting(name))
                .put("waiting_is_exact", found.isCounted(name))
                .put("waiting_since", Json.time(found.waitingSince(name)))
                .put("blocked_keys", route.blockedKeys())
                .put("dead", route.dead())
                .put("scheduled", route.scheduled());
        node.set("lanes", Json.array(found.lanesOf(name), StatusFormat::lane));
        node.set("relays", Json.array(found.relaysOf(name), StatusFormat::relay));
        node.set("longest_blocked", Json.array(found.blockedOf(name), StatusFormat::key));
        return node;
    }

    private static ObjectNode lane(LaneStatus lane) {
        return Json.object()
                .put("lane", lane.lane())
                .put("owner", lane.owner().orElse(null))
                .put("epoch", lane.epoch())
                .put("waiting", lane.waiting())
                .put("waiting_since", Json.time(lane.waitingSince()))
                .put("moved_at", lane.movedAt().toString());
    }

    static ObjectNode relay(LiveRelay relay) {
        return Json.object()
                .put("name", relay.name())
                .put("lanes", relay.lanes())
                .put("started_at", relay.startedAt().toString())
                .put("seen_at", relay.seenAt().toString());
    }

    static ObjectNode key(BlockedKey key) {
        return Json.object()
                .put("key", key.key())
                .put("lane", key.lane())
                .put("held", key.held())
                .put("blocked_since", key.since().toString())
                .put("attempts", key.setback().attempts())
                .put("next_attempt", Json.time(key.setback().nextAttempt()))
                .put("last_error", key.setback().lastError().orElse(null));
    }
}
