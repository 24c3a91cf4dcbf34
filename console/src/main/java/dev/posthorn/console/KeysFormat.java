package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresEvents.Listed;
import dev.posthorn.postgres.PostgresInspection.KeyOnRoute;
import java.util.List;
import java.util.UUID;

/** Where a key waits and its newest events. */
public final class KeysFormat {

    private KeysFormat() {}

    public static ObjectNode json(String key, List<KeyOnRoute> blocked, List<Listed> events) {
        ObjectNode node = Json.object().put("key", key);
        node.set(
                "blocked",
                Json.array(
                        blocked,
                        one -> StatusFormat.key(one.key())
                                .put("route", one.key().route())
                                .put("waiting", one.waiting())
                                .put("head", one.head().map(UUID::toString).orElse(null))));
        node.set("events", Json.array(events, EventsFormat::json));
        return node;
    }
}
