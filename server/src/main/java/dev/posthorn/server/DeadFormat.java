package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresInspection.DeadEvent;
import dev.posthorn.server.DeadCommand.Decision;
import java.time.Instant;
import java.util.List;

/** Dead events and decisions about them, for people and for programs. */
final class DeadFormat {

    private DeadFormat() {}

    static String text(List<DeadEvent> events, Instant now) {
        if (events.isEmpty()) {
            return "No event is dead.";
        }
        StringBuilder text = new StringBuilder();
        for (DeadEvent event : events) {
            text.append(String.format(
                    "%s %s %s%s: %d attempts, dead for %s%s%s%n",
                    event.route(),
                    event.id(),
                    event.kind().orElse("(no longer in the log)"),
                    event.key().map(key -> " key " + key).orElse(""),
                    event.setback().attempts(),
                    StatusFormat.ago(event.since(), now),
                    event.held() ? ", its key waits for it" : "",
                    event.setback().lastError().map(why -> ", " + why).orElse("")));
        }
        return text.toString();
    }

    static ObjectNode list(List<DeadEvent> events) {
        ObjectNode node = Json.object();
        node.set("dead", Json.array(events, DeadFormat::event));
        return node;
    }

    private static ObjectNode event(DeadEvent event) {
        return Json.object()
                .put("route", event.route())
                .put("id", event.id().toString())
                .put("kind", event.kind().orElse(null))
                .put("key", event.key().orElse(null))
                .put("held", event.held())
                .put("dead_since", event.since().toString())
                .put("attempts", event.setback().attempts())
                .put("last_error", event.setback().lastError().orElse(null));
    }

    static String text(String verb, boolean dryRun, List<Decision> decisions) {
        StringBuilder text = new StringBuilder();
        decisions.forEach(decision -> text.append(decision.event().id())
                .append(": ")
                .append(decision.answer())
                .append('\n'));
        return text + (dryRun ? "Nothing was changed; " : "") + decisions.size() + " events to " + verb
                + (dryRun ? "." : ", done.");
    }

    static ObjectNode decisions(String verb, boolean dryRun, List<Decision> decisions) {
        ObjectNode node =
                Json.object().put("action", verb).put("dry_run", dryRun).put("count", decisions.size());
        node.set(
                "events",
                Json.array(decisions, decision -> event(decision.event()).put("answer", decision.answer())));
        return node;
    }
}
