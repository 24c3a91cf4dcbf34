package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresAudit;
import dev.posthorn.postgres.PostgresAudit.Action;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "audit",
        description =
                "Lists what operators did, the last first: who, when, what, to what, why, and how many it concerned.",
        footer = {"", "Example: posthorn audit --who ann --action redrive"})
final class AuditCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    @Mixin
    private Database database = new Database();

    @Option(names = "--who", paramLabel = "NAME", description = "Only what this database user did.")
    private @Nullable String who;

    @Option(
            names = "--action",
            paramLabel = "VERB",
            description = "Only this, such as redrive, discard, pause_route, replay or prune.")
    private @Nullable String action;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(
            names = "--before",
            paramLabel = "ID",
            description = "Only what was done before this, to go on where a list ended.")
    private long before = PostgresAudit.END;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        try (HikariDataSource source = database.connect(ANSWER);
                Output.Items items = output.items("actions", "Nobody did anything like that.")) {
            for (Action one : new PostgresAudit(source, database.schema()).newest(who, action, before, limit)) {
                items.add(
                        () -> Json.object()
                                .put("id", one.id())
                                .put("at", one.at().toString())
                                .put("who", one.who())
                                .put("action", one.action())
                                .put("route", one.route().orElse(null))
                                .put("target", one.target())
                                .put("reason", one.reason().orElse(null))
                                .put("rows", one.rows()),
                        () -> one.at() + "  " + one.who() + "  " + one.action() + " " + one.target()
                                + one.route().map(route -> " on route " + route).orElse("")
                                + (one.rows() == 1 ? "" : ", " + one.rows() + " of them")
                                + one.reason().map(why -> ": " + why).orElse(""));
            }
            return 0;
        }
    }
}
