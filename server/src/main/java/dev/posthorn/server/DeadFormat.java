package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.DeadEntry;
import dev.posthorn.postgres.DeadEntry.Station;
import dev.posthorn.postgres.DeadGroup;
import dev.posthorn.postgres.WholeDeadLetter;
import dev.posthorn.server.DeadWork.Result;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What is dead and decisions about it, for people and for programs. */
final class DeadFormat {

    private static final int LONGEST_SHOWN = 4_000;

    private DeadFormat() {}

    static String text(DeadEntry entry, Instant now) {
        return String.format(
                Locale.ROOT,
                "%s %s %s%s: %d attempts, dead for %s%s%s",
                place(entry),
                entry.letter(),
                kind(entry)
                        .orElse(entry.where().station() == Station.ROUTE ? "(no longer in the log)" : "(undecodable)"),
                entry.what().key().map(key -> " key " + key).orElse(""),
                entry.why().attempts(),
                StatusFormat.ago(entry.at(), now),
                entry.held() ? ", its key waits for it" : "",
                entry.why().reason().isEmpty() ? "" : ", " + entry.why().reason());
    }

    private static String place(DeadEntry entry) {
        String handler = entry.where().handler();
        return entry.where().name() + (handler.isEmpty() ? "" : "/" + handler);
    }

    private static Optional<String> kind(DeadEntry entry) {
        return entry.what().domain().flatMap(domain -> entry.what().type().map(type -> domain + "/" + type));
    }

    /** A route's entry keeps the names that programs knew before consumers had dead letters. */
    static ObjectNode entry(DeadEntry entry) {
        boolean route = entry.where().station() == Station.ROUTE;
        ObjectNode node = Json.object()
                .put("station", entry.where().station().name().toLowerCase(Locale.ROOT))
                .put("route", route ? entry.where().name() : null)
                .put("consumer", route ? null : entry.where().name())
                .put("handler", route ? null : entry.where().handler())
                .put("id", entry.letter().toString())
                .put("event", entry.what().event().map(UUID::toString).orElse(null))
                .put("kind", kind(entry).orElse(null));
        return node.put("domain", entry.what().domain().orElse(null))
                .put("type", entry.what().type().orElse(null))
                .put("key", entry.what().key().orElse(null))
                .put("tenant", entry.what().tenant().orElse(null))
                .put("held", entry.held())
                .put("dead_since", entry.at().toString())
                .put("attempts", entry.why().attempts())
                .put("cause", entry.why().cause())
                .put("last_error", entry.why().reason())
                .put("fingerprint", entry.why().fingerprint())
                .put("remedy", entry.why().remedy());
    }

    static String text(List<DeadGroup> groups) {
        if (groups.isEmpty()) {
            return "No event is dead.";
        }
        StringBuilder text = new StringBuilder();
        groups.forEach(group -> text.append(String.format(
                Locale.ROOT,
                "%,d × %s: %s%n    from %s to %s, for example %s%n    %s%n",
                group.letters(),
                group.cause(),
                group.fingerprint(),
                group.first(),
                group.last(),
                group.example(),
                group.remedy())));
        return text.toString();
    }

    static ObjectNode groups(List<DeadGroup> groups) {
        ObjectNode node = Json.object();
        node.set(
                "groups",
                Json.array(
                        groups,
                        group -> Json.object()
                                .put("cause", group.cause())
                                .put("fingerprint", group.fingerprint())
                                .put("remedy", group.remedy())
                                .put("count", group.letters())
                                .put("first", group.first().toString())
                                .put("last", group.last().toString())
                                .put("example", group.example().toString())));
        return node;
    }

    static String text(List<WholeDeadLetter> letters, Instant now) {
        StringBuilder text = new StringBuilder();
        for (WholeDeadLetter letter : letters) {
            text.append(text(letter.entry(), now)).append('\n');
            line(text, "state", letter.state());
            letter.entry().what().event().ifPresent(event -> line(text, "event", event.toString()));
            letter.entry().what().tenant().ifPresent(tenant -> line(text, "tenant", tenant));
            line(text, "cause", letter.entry().why().cause());
            letter.details().forEach((name, value) -> line(text, "  " + name, value));
            letter.metadata().forEach((name, value) -> line(text, "from " + name, value));
            letter.headers().forEach((name, value) -> line(text, "header " + name, value));
            line(text, "body", body(letter.body()));
            line(text, "what to do", letter.entry().why().remedy());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("  ").append(name).append(": ").append(value).append('\n');
    }

    /** As text if it is text, else in hexadecimal digits; not all of what is long. */
    private static String body(byte[] body) {
        String whole = utf8(body).orElseGet(() -> "0x" + HexFormat.of().formatHex(body));
        return whole.length() <= LONGEST_SHOWN
                ? whole
                : whole.substring(0, LONGEST_SHOWN) + "… (" + body.length + " bytes; --json has all)";
    }

    private static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException binary) {
            return Optional.empty();
        }
    }

    static ObjectNode whole(List<WholeDeadLetter> letters) {
        ObjectNode node = Json.object();
        node.set("dead", Json.array(letters, DeadFormat::whole));
        return node;
    }

    private static ObjectNode whole(WholeDeadLetter letter) {
        ObjectNode node = entry(letter.entry()).put("state", letter.state());
        node.set("details", object(letter.details()));
        node.set("headers", object(letter.headers()));
        node.set("metadata", object(letter.metadata()));
        return node.put("body_base64", letter.body());
    }

    private static ObjectNode object(Map<String, String> map) {
        ObjectNode node = Json.object();
        map.forEach(node::put);
        return node;
    }

    static String text(Result result) {
        String verb = result.decision().verb().word();
        StringBuilder text = new StringBuilder();
        result.told()
                .forEach(answer -> text.append(answer.letter())
                        .append(": ")
                        .append(answer.text())
                        .append('\n'));
        if (result.extent().done() > result.told().size()) {
            text.append("In all:\n");
            result.tally()
                    .forEach((answer, times) -> text.append(String.format(Locale.ROOT, "%,d × %s%n", times, answer)));
        }
        if (result.extent().leftAlone() > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "%,d were left alone: somebody else decided about them meanwhile, or they are no longer in the log.%n",
                    result.extent().leftAlone()));
        }
        if (result.extent().stopped()) {
            return text
                    + String.format(
                            Locale.ROOT,
                            "Stopped: %,d of %,d events to %s are done. The others are dead as before; the same command"
                                    + " goes on with them.",
                            result.extent().done(),
                            result.extent().total(),
                            verb);
        }
        return text + (result.trial() ? "Nothing was changed; " : "")
                + result.extent().done() + " events to " + verb + (result.trial() ? "." : ", done.");
    }

    static ObjectNode result(Result result) {
        ObjectNode node = Json.object()
                .put("action", result.decision().verb().word())
                .put("dry_run", result.trial())
                .put("count", result.extent().done())
                .put("total", result.extent().total())
                .put("left_alone", result.extent().leftAlone())
                .put("stopped", result.extent().stopped());
        node.set(
                "events",
                Json.array(
                        result.told(),
                        answer -> Json.object()
                                .put("id", answer.letter().toString())
                                .put("place", answer.place())
                                .put("answer", answer.text())));
        ObjectNode answers = node.putObject("answers");
        result.tally().forEach(answers::put);
        return node;
    }
}
