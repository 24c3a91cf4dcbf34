package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Json;
import dev.posthorn.console.SchemaFormat;
import dev.posthorn.postgres.PostgresRebase;
import dev.posthorn.postgres.PostgresRebase.RebasedRoute;
import dev.posthorn.postgres.PostgresRebase.Report;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "rebase",
        description =
                "Makes a log that was restored from a dump go on where it was: every route publishes what it had not"
                        + " published by the time of the dump. Relays refuse such a log until then. Stop them first; producers may"
                        + " run, and wait while it works. A log that was not restored is left as it is.",
        footer = {"  posthorn rebase --dry-run"})
final class RebaseCommand implements Callable<Integer> {

    private static final String NOTHING = "Nothing to do: this log was not restored from a dump, or was rebased since.";
    private static final Duration ANSWER = Duration.ofHours(1);

    private static final Duration LOOK = Duration.ofSeconds(60);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private Asked asked = new Asked();

    @Option(names = "--dry-run", description = "Tells what it would do, and takes it back. Producers wait meanwhile.")
    private boolean dryRun;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
    private @Nullable String reason;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        return asked.isRemote() ? there() : here();
    }

    /** Whether it is needed. What it would do is found out by doing it, which needs the lanes that the process there holds. */
    private Integer there() throws InterruptedException {
        if (!dryRun) {
            throw new ParameterException(
                    command.commandLine(),
                    "Relays are stopped for a rebase, the one at --url too. Stop them, then use --database-url; with"
                            + " --dry-run this asks there whether one is needed.");
        }
        ObjectNode found = asked.http(LOOK, output::progress).get(Ask.of("rebase"));
        output.print(found.put("dry_run", true), RebaseCommand::text);
        return 0;
    }

    private static String text(JsonNode found) {
        return found.path("needed").asBoolean()
                ? "This log was restored from a dump and needs a rebase. For what each route would publish, stop the"
                        + " relays and use --database-url."
                : NOTHING;
    }

    private Integer here() {
        Database database = asked.database();
        try (HikariDataSource source = database.connect(ANSWER)) {
            PostgresRebase rebase = new PostgresRebase(source, database.schema());
            Report report = dryRun ? rebase.look() : rebase.rebase(reason);
            output.print(() -> json(report), () -> text(report));
            return 0;
        }
    }

    private ObjectNode json(Report report) {
        ObjectNode json = SchemaFormat.json(report.needs()).put("dry_run", dryRun);
        json.set("routes", Json.array(report.routes(), RebaseCommand::json));
        return json;
    }

    private static ObjectNode json(RebasedRoute route) {
        return Json.object()
                .put("route", route.route())
                .put("unread", route.unread())
                .put("blocked_keys", route.blockedKeys())
                .put("repeated", route.repeated())
                .put("forgotten", route.forgotten());
    }

    private String text(Report report) {
        if (!report.needs().any()) {
            return NOTHING;
        }
        StringBuilder text = new StringBuilder();
        report.routes().forEach(route -> text.append(text(route)));
        if (report.needs().lanesMoved()) {
            text.append("Keys have other lanes here than where the dump was made, so routes begin where all their lanes"
                    + " had surely been.\n");
        }
        return text.append(dryRun ? "Nothing was changed." : "Rebased. Start the relays.")
                .toString();
    }

    private static String text(RebasedRoute route) {
        String repeats = route.repeated() + route.forgotten() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %,d of them may have been published before, %,d detours begin anew",
                        route.repeated(),
                        route.forgotten());
        return String.format(
                Locale.ROOT,
                "route %s: %,d events to publish, %,d blocked keys%s%n",
                route.route(),
                route.unread(),
                route.blockedKeys(),
                repeats);
    }
}
