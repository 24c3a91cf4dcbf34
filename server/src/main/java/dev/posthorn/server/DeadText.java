package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is dead and decisions about it, for people. */
final class DeadText {

    private static final int LONGEST_SHOWN = 4_000;

    private DeadText() {}

    static String entry(JsonNode entry, Instant now) {
        boolean route = entry.path("station").asText().equals("route");
        return String.format(
                Locale.ROOT,
                "%s %s %s%s: %s attempts, dead for %s%s%s",
                place(entry, route),
                entry.path("id").asText(),
                Fields.text(entry, "kind").orElse(route ? "(no longer in the log)" : "(undecodable)"),
                Fields.after(" key ", entry, "key"),
                entry.path("attempts").asText(),
                Fields.ago(entry, "dead_since", now),
                entry.path("held").asBoolean() ? ", its key waits for it" : "",
                entry.path("last_error").asText().isEmpty() ? "" : Fields.after(", ", entry, "last_error"));
    }

    private static String place(JsonNode entry, boolean route) {
        String handler = entry.path("handler").asText("");
        return route
                ? entry.path("route").asText()
                : entry.path("consumer").asText() + (handler.isEmpty() ? "" : "/" + handler);
    }

    static String groups(JsonNode answer) {
        List<JsonNode> groups = Fields.each(answer, "groups");
        return groups.isEmpty()
                ? "No event is dead."
                : groups.stream()
                        .map(group -> String.format(
                                Locale.ROOT,
                                "%s × %s: %s%n    from %s to %s, for example %s%n    %s%n",
                                Fields.count(group, "count"),
                                group.path("cause").asText(),
                                group.path("fingerprint").asText(),
                                group.path("first").asText(),
                                group.path("last").asText(),
                                group.path("example").asText(),
                                group.path("remedy").asText()))
                        .collect(Collectors.joining());
    }

    static String whole(JsonNode answer, Instant now) {
        StringBuilder text = new StringBuilder();
        for (JsonNode letter : Fields.each(answer, "dead")) {
            text.append(entry(letter, now)).append('\n');
            line(text, "state", letter.path("state").asText());
            Fields.text(letter, "event").ifPresent(event -> line(text, "event", event));
            Fields.text(letter, "tenant").ifPresent(tenant -> line(text, "tenant", tenant));
            line(text, "cause", letter.path("cause").asText());
            lines(text, "  ", letter, "details");
            lines(text, "from ", letter, "metadata");
            lines(text, "header ", letter, "headers");
            line(text, "body", body(letter));
            line(text, "what to do", letter.path("remedy").asText());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("  ").append(name).append(": ").append(value).append('\n');
    }

    private static void lines(StringBuilder text, String before, JsonNode letter, String field) {
        Fields.entries(letter, field)
                .forEach(one -> line(text, before + one.getKey(), one.getValue().asText()));
    }

    /** As text if it is text, else in hexadecimal digits; not all of what is long. */
    private static String body(JsonNode letter) {
        if (!letter.hasNonNull("body_base64")) {
            return "(not shown to this token)";
        }
        byte[] body = Base64.getDecoder().decode(letter.path("body_base64").asText());
        boolean truncated = letter.path("body_truncated").asBoolean();
        CharBuffer text = CharBuffer.allocate(body.length);
        boolean binary = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(body), text, !truncated)
                .isError();
        String shown =
                binary ? "0x" + HexFormat.of().formatHex(body) : text.flip().toString();
        return shown.length() <= LONGEST_SHOWN && !truncated
                ? shown
                : shown.substring(0, Math.min(LONGEST_SHOWN, shown.length())) + "… ("
                        + letter.path("body_size").asLong(body.length)
                        + " bytes in all; GET /v1/dead/ID/body sends them)";
    }

    /** What became of a decision about many. */
    static String result(JsonNode result) {
        String verb = result.path("action").asText();
        boolean trial = result.path("dry_run").asBoolean();
        long done = result.path("count").asLong();
        StringBuilder text = new StringBuilder();
        List<JsonNode> told = Fields.each(result, "events");
        told.forEach(answer -> text.append(answer.path("id").asText())
                .append(": ")
                .append(Fields.text(answer, "answer").orElseGet(() -> "to " + verb))
                .append('\n'));
        if (done > told.size() && !result.path("answers").isEmpty()) {
            text.append("In all:\n");
            Fields.entries(result, "answers")
                    .forEach(one -> text.append(String.format(
                            Locale.ROOT, "%,d × %s%n", one.getValue().asLong(), one.getKey())));
        }
        if (result.path("left_alone").asLong() > 0) {
            text.append(Fields.count(result, "left_alone"))
                    .append(
                            " were left alone: somebody else decided about them meanwhile, or they are no longer in the log.\n");
        }
        if (result.path("stopped").asBoolean()) {
            return text + "Stopped: " + Fields.count(result, "count") + " of " + Fields.count(result, "total")
                    + " events to " + verb
                    + " are done. The others are dead as before; the same command goes on with them.";
        }
        return text + (trial ? "Nothing was changed; " : "") + done + " events to " + verb + (trial ? "." : ", done.");
    }
}
