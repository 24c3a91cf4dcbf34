package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresAudit.Action;

/** What operators did. */
public final class AuditFormat {

    private AuditFormat() {}

    public static ObjectNode json(Action one) {
        return Json.object()
                .put("id", one.id())
                .put("at", one.at().toString())
                .put("who", one.who())
                .put("action", one.action())
                .put("route", one.route().orElse(null))
                .put("target", one.target())
                .put("reason", one.reason().orElse(null))
                .put("rows", one.rows());
    }
}
