package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Replays, for people. */
final class ReplayText {

    private ReplayText() {}

    static String list(JsonNode answer) {
        List<JsonNode> replays = Fields.each(answer, "replays");
        return replays.isEmpty()
                ? "There are no replays."
                : replays.stream().map(ReplayText::one).collect(Collectors.joining("\n"));
    }

    static String one(JsonNode replay) {
        return replay.path("id").asText() + " " + replay.path("state").asText() + " into " + target(replay) + ": "
                + progress(replay)
                + ", " + selected(replay)
                + ", started " + replay.path("started_at").asText() + " by "
                + replay.path("who").asText()
                + Fields.text(replay, "reason").map(why -> " (" + why + ")").orElse("")
                + Fields.after(", ", replay, "fault");
    }

    /** Done, of, rate and end. */
    static String progress(JsonNode replay) {
        return Fields.count(replay, "done") + " of " + of(replay) + " events"
                + (replay.path("done").asLong() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", %,.0f a second",
                                replay.path("per_second").asDouble()))
                + Fields.after(", ends ", replay, "expected_end");
    }

    static String dryRun(JsonNode would) {
        return "Nothing was started; " + of(would) + " events would go into " + target(would) + ", " + selected(would)
                + ".";
    }

    private static String of(JsonNode replay) {
        return replay.hasNonNull("of") ? Fields.count(replay, "of") : "an unknown number of";
    }

    private static String target(JsonNode replay) {
        return Fields.text(replay, "route")
                .map(route -> "route " + route)
                .orElseGet(() -> "consumer " + replay.path("consumer").asText());
    }

    private static String selected(JsonNode replay) {
        JsonNode selection = replay.path("selection");
        String text = any("domain", selection, "domains")
                + any("type", selection, "types")
                + any("aggregate type", selection, "aggregate_types")
                + any("key", selection, "keys")
                + any("tenant", selection, "tenants")
                + Fields.after(" from ", selection, "from")
                + Fields.after(" to ", selection, "to");
        return (text.isEmpty() ? "all" : text.strip())
                + Fields.text(replay, "archive")
                        .map(folder -> " of the archive " + folder)
                        .orElse(" of the log");
    }

    private static String any(String name, JsonNode selection, String field) {
        List<String> values = Fields.texts(selection, field);
        return values.isEmpty() ? "" : " " + name + " " + String.join(" or ", values);
    }
}
