package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresEvents.Listed;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresInspection.KeyOnRoute;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "keys",
        description = "Looks at single keys.",
        subcommands = {KeysCommand.Show.class})
final class KeysCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @Command(
            name = "show",
            description = "Tells where a key waits, for which event and why, how many wait, and its newest events.",
            footer = {"", "Example: posthorn keys show order-4711"})
    static final class Show implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Parameters(paramLabel = "KEY", description = "The key, as it was emitted.")
        private String key = "";

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "20",
                description = "How many of its newest events to list. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(ANSWER)) {
                List<KeyOnRoute> blocked = new PostgresInspection(source, database.schema()).key(key);
                List<Listed> events =
                        new PostgresEvents(source, database.schema()).ofKey(key, PostgresEvents.END, limit);
                output.print(() -> json(key, blocked, events), () -> text(key, blocked, events, Instant.now()));
                return 0;
            }
        }
    }

    private static String text(String key, List<KeyOnRoute> blocked, List<Listed> events, Instant now) {
        if (blocked.isEmpty() && events.isEmpty()) {
            return "No event of the log has the key " + key + ".";
        }
        StringBuilder text = new StringBuilder("key " + key + (blocked.isEmpty() ? " waits nowhere" : "") + "\n");
        blocked.forEach(one -> text.append(text(one, now)));
        events.forEach(
                event -> text.append("  ").append(EventsFormat.text(event)).append('\n'));
        return text.toString();
    }

    private static String text(KeyOnRoute one, Instant now) {
        String route = one.key().route();
        StringBuilder text = new StringBuilder("  route " + route + ": "
                + (one.key().held() ? "held" : "blocked") + " for "
                + StatusFormat.ago(one.key().since(), now) + ", "
                + one.waiting() + " waiting");
        one.head().ifPresent(id -> text.append(", first ").append(id));
        text.append(", ").append(one.key().setback().attempts()).append(" attempts");
        one.key()
                .setback()
                .nextAttempt()
                .ifPresent(at -> text.append(", next attempt ").append(at));
        one.key().setback().lastError().ifPresent(why -> text.append(", ").append(why));
        text.append('\n');
        if (one.key().held() && one.head().isPresent()) {
            text.append("    to go on: posthorn dead redrive ")
                    .append(one.head().get())
                    .append(" --route ")
                    .append(route)
                    .append(", or posthorn dead discard\n");
        }
        return text.toString();
    }

    private static ObjectNode json(String key, List<KeyOnRoute> blocked, List<Listed> events) {
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
