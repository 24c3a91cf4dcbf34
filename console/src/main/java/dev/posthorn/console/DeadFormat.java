package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.DeadWork.Result;
import dev.posthorn.postgres.DeadEntry;
import dev.posthorn.postgres.DeadEntry.Station;
import dev.posthorn.postgres.DeadGroup;
import dev.posthorn.postgres.WholeDeadLetter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is dead and decisions about it. */
public final class DeadFormat {

    /** So many bytes of each body are shown; the whole is a download. */
    public static final int PREVIEW = 64 * 1024;

    private DeadFormat() {}

    private static Optional<String> kind(DeadEntry entry) {
        return entry.what().domain().flatMap(domain -> entry.what().type().map(type -> domain + "/" + type));
    }

    /** A route's entry keeps the names that programs knew before consumers had dead letters. */
    public static ObjectNode entry(DeadEntry entry) {
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

    public static ObjectNode groups(List<DeadGroup> groups) {
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

    public static ObjectNode whole(List<WholeDeadLetter> letters, Disclosure disclosure) {
        ObjectNode node = Json.object();
        node.set("dead", Json.array(letters, letter -> whole(letter, disclosure)));
        return node;
    }

    /** The same without headers, body and what else may tell what the payload does. */
    static ObjectNode redacted(List<WholeDeadLetter> letters) {
        ObjectNode node = Json.object();
        node.set(
                "dead",
                Json.array(
                        letters,
                        letter -> entry(letter.entry())
                                .put("state", letter.state())
                                .put("redacted", true)));
        return node;
    }

    private static ObjectNode whole(WholeDeadLetter letter, Disclosure disclosure) {
        ObjectNode node = entry(letter.entry()).put("state", letter.state());
        node.set("details", Json.texts(disclosure.texts(letter.details())));
        node.set("headers", Json.texts(disclosure.texts(letter.headers())));
        node.set("metadata", Json.texts(disclosure.texts(letter.metadata())));
        return node.put("body_base64", disclosure.bytes(letter.body(), contentType(letter)))
                .put("body_size", letter.bodySize())
                .put("body_truncated", letter.bodySize() > letter.body().length);
    }

    /** The event's own, or as the transport had it. */
    private static String contentType(WholeDeadLetter letter) {
        @Nullable String own = letter.details().get("content_type");
        return own != null ? own : letter.headers().getOrDefault("content-type", "");
    }

    public static ObjectNode result(Result result) {
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
