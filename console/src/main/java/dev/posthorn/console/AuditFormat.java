package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresAudit.Action;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What operators did. */
public final class AuditFormat {

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Set<String> DECISIONS = Set.of("redrive", "reprocess", "discard");

    private AuditFormat() {}

    /** What the target is, so that a page can lead there; null if there is no page about it. */
    private static @Nullable String kindOf(Action one) {
        if (one.action().endsWith("replay")) {
            return "replay";
        }
        if (one.action().endsWith("job")) {
            return "job";
        }
        if (one.action().endsWith("consumer")) {
            return "consumer";
        }
        if (ID.matcher(one.target()).matches()) {
            return DECISIONS.contains(one.action()) && one.route().isEmpty() ? "dead-letter" : "event";
        }
        return one.route().filter(one.target()::equals).isPresent() ? "route" : null;
    }

    public static ObjectNode json(Action one) {
        return Json.object()
                .put("id", one.id())
                .put("at", one.at().toString())
                .put("who", one.who())
                .put("action", one.action())
                .put("route", one.route().orElse(null))
                .put("target", one.target())
                .put("target_kind", kindOf(one))
                .put("reason", one.reason().orElse(null))
                .put("rows", one.rows());
    }
}
