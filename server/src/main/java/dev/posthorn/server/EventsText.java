package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.StatusFormat;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Events and keys, for people. */
final class EventsText {

    private EventsText() {}

    /** One of a list. */
    static String line(JsonNode event) {
        String states = Fields.each(event, "routes").stream()
                .map(one -> one.path("route").asText() + " " + one.path("state").asText())
                .collect(Collectors.joining(", "));
        return event.path("emitted_at").asText() + "  " + event.path("id").asText() + "  "
                + event.path("domain").asText() + "/" + event.path("type").asText()
                + Fields.after(", key ", event, "key")
                + Fields.after(", tenant ", event, "tenant") + ", seq "
                + event.path("seq").asText() + (states.isEmpty() ? ", on no route" : ": " + states);
    }

    static String story(JsonNode story) {
        StringBuilder text = new StringBuilder(story.path("id").asText());
        text.append(story.path("in_log").asBoolean() ? logged(story) : " is no longer in the log")
                .append('\n');
        if (story.path("in_log").asBoolean() && story.path("routes").isEmpty()) {
            text.append(
                    "  on no route: it was emitted before every route that wants it began, or no route wants it, so it is not"
                            + " published. See: posthorn routes list\n");
        }
        Fields.each(story, "routes")
                .forEach(route -> text.append(onRoute(route)).append('\n'));
        Fields.each(story, "story").forEach(one -> text.append(happening(one)).append('\n'));
        return text.toString();
    }

    private static String logged(JsonNode event) {
        return " " + event.path("domain").asText() + "/" + event.path("type").asText()
                + Fields.after(", key ", event, "key")
                + Fields.after(", about ", event, "aggregate")
                + Fields.after(", tenant ", event, "tenant") + ", seq "
                + event.path("seq").asText();
    }

    private static String onRoute(JsonNode route) {
        return "  route " + route.path("route").asText() + ": "
                + route.path("state").asText()
                + (route.path("attempts").asInt() == 0
                        ? ""
                        : ", " + route.path("attempts").asText() + " attempts")
                + Fields.after(", next attempt ", route, "next_attempt")
                + Fields.after(", ", route, "last_error");
    }

    private static String happening(JsonNode one) {
        return "  " + one.path("at").asText() + " " + one.path("what").asText()
                + Fields.after(" on ", one, "place")
                + Fields.after(" by ", one, "who")
                + Fields.after(": ", one, "detail");
    }

    /** Where a key waits, and its newest events. */
    static String key(JsonNode key, Instant now) {
        String name = key.path("key").asText();
        List<JsonNode> blocked = Fields.each(key, "blocked");
        List<JsonNode> events = Fields.each(key, "events");
        if (blocked.isEmpty() && events.isEmpty()) {
            return "No event of the log has the key " + name + ".";
        }
        StringBuilder text = new StringBuilder("key " + name + (blocked.isEmpty() ? " waits nowhere" : "") + "\n");
        blocked.forEach(one -> text.append(blocked(one, now)));
        events.forEach(event -> text.append("  ").append(line(event)).append('\n'));
        return text.toString();
    }

    private static String blocked(JsonNode one, Instant now) {
        String route = one.path("route").asText();
        boolean held = one.path("held").asBoolean();
        String text = "  route " + route + ": " + (held ? "held" : "blocked") + " for "
                + StatusFormat.ago(Fields.time(one, "blocked_since").orElse(now), now) + ", "
                + one.path("waiting").asText() + " waiting"
                + Fields.after(", first ", one, "head") + ", "
                + one.path("attempts").asText() + " attempts"
                + Fields.after(", next attempt ", one, "next_attempt")
                + Fields.after(", ", one, "last_error") + "\n";
        return held && one.hasNonNull("head")
                ? text + "    to go on: posthorn dead redrive "
                        + one.path("head").asText() + " --route " + route + ", or posthorn dead discard\n"
                : text;
    }
}
