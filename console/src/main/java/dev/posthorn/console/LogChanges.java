package dev.posthorn.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.postgres.PostgresActions;
import dev.posthorn.postgres.PostgresActions.Deed;
import dev.posthorn.postgres.PostgresInboxPruner;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresPruner;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is put into the log by hand, and what is taken out. */
final class LogChanges {

    private static final List<String> FIELDS = List.of(
            "reason",
            "domain",
            "type",
            "key",
            "id",
            "sequence",
            "tenant",
            "correlation_id",
            "headers",
            "content_type",
            "payload",
            "payload_base64");

    private final ConsoleSetup setup;
    private final Live live;
    private final Once once;

    LogChanges(ConsoleSetup setup, Live live, Once once) {
        this.setup = setup;
        this.live = live;
        this.once = once;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.post(
                        "/v1/events",
                        Right.OPERATE,
                        Manual.of("Emits one event. An id that is there already is not emitted again.", "Emitted")
                                .taking("Emission"),
                        once.of(LogChanges::emit)),
                Endpoint.post(
                        "/v1/prune",
                        Right.ADMIN,
                        Manual.of("Removes what this process may remove by its retention, as a job.", "Pruned")
                                .taking("PruneOrder"),
                        once.of((call, desk) -> prune(call))));
    }

    /** In the transaction that keeps the answer, so that there is one exactly if there is the other. */
    private static Answer emit(Call call, Desk desk) throws SQLException {
        Wish wish = call.wish();
        wish.only(FIELDS);
        Event event = event(wish);
        PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(desk.schema()));
        try (Connection connection = desk.database().getConnection()) {
            boolean isNew = !outbox.emit(connection, List.of(event), EmitOption.IDEMPOTENT)
                    .emitted()
                    .isEmpty();
            new PostgresActions(desk.schema(), call.who().name())
                    .record(connection, new Deed("emit", null, event.id().toString(), wish.reason(), isNew ? 1 : 0));
            return Answer.json(Json.object().put("id", event.id().toString()).put("emitted", isNew));
        }
    }

    private static Event event(Wish wish) {
        try {
            EventBuilder builder = Event.of(wish.required("domain"), wish.required("type"))
                    .key(wish.text("key"))
                    .tenant(wish.text("tenant"))
                    .correlationId(wish.text("correlation_id"))
                    .headers(wish.map("headers"));
            String type = wish.text("content_type");
            builder.payload(payload(wish), type == null ? Answer.JSON : type);
            String id = wish.text("id");
            if (id != null) {
                builder.id(Call.uuid("id", id));
            } else {
                builder.id(UUID.randomUUID());
            }
            wish.number("sequence", 0, Integer.MAX_VALUE).ifPresent(builder::sequence);
            return builder.build();
        } catch (IllegalArgumentException invalid) {
            throw Refusal.unprocessable(invalid.getMessage() + " Nothing was emitted.");
        }
    }

    /** Any JSON as it is; other bytes in base 64. */
    private static byte[] payload(Wish wish) {
        @Nullable String base64 = wish.text("payload_base64");
        if (base64 != null) {
            return Base64.getDecoder().decode(base64);
        }
        JsonNode payload = wish.json().path("payload");
        if (payload.isMissingNode()) {
            throw Refusal.invalid("The field payload is missing. Nothing was emitted.");
        }
        return payload.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** A job has connections of its own, for it goes on after the answer. */
    private Answer prune(Call call) {
        Desk desk = live.desk();
        Wish wish = call.wish();
        wish.only(List.of("reason", "dry_run"));
        PostgresPruner pruner = setup.facts().retention().pruner(desk.database(), desk.schema());
        ObjectNode asked = Json.object().put("dry_run", wish.flag("dry_run"));
        if (wish.flag("dry_run")) {
            return Answer.json(PruneFormat.json(asked, pruner.look(), PostgresInboxPruner.Report.NOTHING));
        }
        Job.Order order = new Job.Order("prune", call.who().name(), wish.reason());
        Job job = live.jobs().start(order, live.now(), 0, started -> {
            PostgresPruner.Report report =
                    pruner.prune(events -> started.reached(new Job.Progress(events, events, Map.of())));
            PostgresInboxPruner.Report inbox = report.busy()
                    ? PostgresInboxPruner.Report.NOTHING
                    : setup.facts()
                            .retention()
                            .inboxPruner(desk.database(), desk.schema())
                            .prune();
            new PostgresActions(desk.schema(), order.who())
                    .record(desk.database(), new Deed("prune", null, "log", order.reason(), report.events()));
            started.found(PruneFormat.json(asked, report, inbox));
            return true;
        });
        return Answer.json(202, Json.object().put("job", job.id().toString()));
    }
}
