package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.StatusFormat;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the routes stand, for people. */
final class StatusText {

    private StatusText() {}

    static String of(JsonNode status, Instant now) {
        List<JsonNode> routes = Fields.each(status, "routes");
        String text = routes.isEmpty()
                ? "There is no route yet. The first relay creates one: posthorn relay --help\n"
                : routes.stream().map(route -> route(route, now)).collect(Collectors.joining());
        return restored(status) + text + unrouted(status) + notes(status);
    }

    private static String restored(JsonNode status) {
        return status.path("restored").asBoolean()
                ? "The log was restored from a dump: nothing is published until it is rebased. Run: posthorn rebase\n"
                : "";
    }

    private static String unrouted(JsonNode status) {
        String kinds = Fields.each(status, "unrouted").stream()
                .map(one ->
                        one.path("kind").asText() + " (" + one.path("events").asText() + " or more)")
                .collect(Collectors.joining(", "));
        return kinds.isEmpty()
                ? ""
                : "Events lie on no route and are not published: " + kinds + ". See: posthorn doctor\n";
    }

    private static String notes(JsonNode status) {
        return Fields.texts(status, "notes").stream()
                .map(note -> "Note: " + note + ".\n")
                .collect(Collectors.joining());
    }

    private static String route(JsonNode route, Instant now) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "route %s:%s %s%s waiting%s, %s keys blocked, %s dead, %s scheduled; %d of %d lanes held%n",
                route.path("route").asText(),
                RoutesText.state(route, route.path("route").asText(), now),
                route.path("waiting_is_exact").asBoolean() ? "" : "about ",
                Fields.count(route, "waiting"),
                Fields.time(route, "waiting_since")
                        .map(since -> " for " + StatusFormat.ago(since, now))
                        .orElse(""),
                Fields.count(route, "blocked_keys"),
                Fields.count(route, "dead"),
                Fields.count(route, "scheduled"),
                Fields.each(route, "lanes").stream()
                        .filter(lane -> lane.hasNonNull("owner"))
                        .count(),
                route.path("lanes").size()));
        text.append(pace(route));
        Fields.texts(route, "warnings")
                .forEach(warning -> text.append("  WARNING: ").append(warning).append('\n'));
        Fields.each(route, "relays").forEach(relay -> text.append(relay(route, relay)));
        Fields.each(route, "longest_blocked").forEach(key -> text.append(key(key, now)));
        return text.toString();
    }

    private static String pace(JsonNode route) {
        if (!route.hasNonNull("breaker")) {
            return "";
        }
        String lag = route.hasNonNull("lag_p50_seconds")
                ? String.format(
                        Locale.ROOT,
                        "lag %,.3f s, of one in a hundred %,.3f s",
                        route.path("lag_p50_seconds").asDouble(),
                        route.path("lag_p99_seconds").asDouble())
                : "no lag lately";
        return String.format(
                Locale.ROOT,
                "  %,.1f published a second; %s; breaker %s%n",
                route.path("published_per_second").asDouble(),
                lag,
                route.path("breaker").asText().equals("open")
                        ? "OPEN" + Fields.after(": ", route, "outage")
                        : "closed" + Fields.after("; TROUBLE: ", route, "outage"));
    }

    private static String relay(JsonNode route, JsonNode relay) {
        String name = relay.path("name").asText();
        String lanes = Fields.each(route, "lanes").stream()
                .filter(lane -> lane.path("owner").asText().equals(name))
                .map(lane -> lane.path("lane").asText())
                .collect(Collectors.joining(" "));
        return String.format(
                Locale.ROOT,
                "  relay %s: %s lanes%s, %,.1f a second, seen %s ago%s%n",
                name,
                relay.path("lanes").asText(),
                lanes.isEmpty() ? "" : " (" + lanes + ")",
                relay.path("published_per_second").asDouble(),
                StatusFormat.rounded(Fields.seconds(relay, "silent_seconds")),
                relay.path("alive").asBoolean(true) ? Fields.after(", ", relay, "outage") : ", GONE");
    }

    private static String key(JsonNode key, Instant now) {
        return String.format(
                "  key %s: %s for %s, %s attempts%s%n",
                key.path("key").asText(),
                key.path("held").asBoolean() ? "held" : "blocked",
                Fields.ago(key, "blocked_since", now),
                key.path("attempts").asText(),
                Fields.after(", ", key, "last_error"));
    }

    /** One of a list of relays of all routes. */
    static String relay(JsonNode relay, Instant now) {
        return "route " + relay.path("route").asText() + ": relay "
                + relay.path("name").asText() + ", " + relay.path("lanes").asText() + " lanes, running for "
                + Fields.ago(relay, "started_at", now) + ", seen "
                + StatusFormat.rounded(Fields.seconds(relay, "silent_seconds")) + " ago"
                + (relay.path("alive").asBoolean(true) ? Fields.after(", ", relay, "outage") : ", GONE");
    }
}
