package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Json;
import dev.posthorn.console.PruneFormat;
import dev.posthorn.postgres.PostgresInboxPruner;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.PostgresPruner.Report;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "prune",
        description =
                "Removes events that every live route has published longer ago than the retention, and the"
                        + " checkpoints that only tell of such. Events that are dead, scheduled or wait behind a blocked key stay. Also"
                        + " removes what the inbox of consumers need not know any more, and their commands, positions and dead"
                        + " letters after retentions of their own. Relays do all this by themselves; producers, relays and readers go on meanwhile.",
        footer = {"  posthorn prune --archive /mnt/archive --archive-after 90d --dry-run"})
final class PruneCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofMinutes(10);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private Asked asked = new Asked();

    @Mixin
    private PruneOptions options = new PruneOptions();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record; only with --url.")
    private @Nullable String reason;

    @Option(names = "--dry-run", description = "Only tells how many events it would remove.")
    private boolean dryRun;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        options.check();
        output.print(asked.isRemote() ? pruneThere() : pruneHere(), PruneCommand::text);
        return 0;
    }

    /** That process goes by its own retention. */
    private ObjectNode pruneThere() throws InterruptedException {
        if (options.isGiven()) {
            throw new ParameterException(
                    command.commandLine(),
                    "With --url the process prunes by its own retention and archive: leave those options out.");
        }
        ObjectNode body = Json.object().put("reason", reason).put("dry_run", dryRun);
        return asked.http(ANSWER, output::progress).change(Ask.of("prune"), body, (source, schema) -> body);
    }

    private ObjectNode pruneHere() {
        PrintWriter err = command.commandLine().getErr();
        options.retention().warnings().forEach(warning -> err.println("posthorn: " + warning));
        Database database = asked.database();
        try (HikariDataSource source = database.connect(ANSWER)) {
            PostgresPruner pruner = options.retention().pruner(source, database.schema());
            Report report = dryRun ? pruner.look() : pruner.prune(new Progress("removed", err));
            PostgresInboxPruner.Report inbox = dryRun || report.busy()
                    ? PostgresInboxPruner.Report.NOTHING
                    : options.retention().inboxPruner(source, database.schema()).prune();
            return json(report, inbox);
        }
    }

    private ObjectNode json(Report report, PostgresInboxPruner.Report inbox) {
        ObjectNode asked = Json.object()
                .put("dry_run", dryRun)
                .put(options.archive() == null ? "retention" : "archive_after", DurationConverter.text(options.age()))
                .put(
                        "archive",
                        options.archive() == null ? null : options.archive().toString());
        return PruneFormat.json(asked, report, inbox);
    }

    private static String text(JsonNode pruned) {
        if (pruned.path("busy").asBoolean()) {
            return "Another one is pruning; nothing more to do here.";
        }
        boolean archives =
                pruned.hasNonNull("archive") || pruned.path("volumes").asLong() > 0;
        if (pruned.path("dry_run").asBoolean()) {
            return Fields.count(pruned, "events") + " events would be "
                    + (archives ? "archived and removed" : "removed") + ". Nothing was changed.";
        }
        String archived = archives
                ? "Archived " + Fields.count(pruned, "archived") + " events in " + Fields.count(pruned, "volumes")
                        + " volumes. "
                : "";
        return archived + "Removed " + Fields.count(pruned, "events") + " events, "
                + Fields.count(pruned, "checkpoints") + " checkpoints and " + Fields.count(pruned, "flushes")
                + " flushes." + inbox(pruned);
    }

    private static String inbox(JsonNode pruned) {
        long all = pruned.path("inbox").asLong()
                + pruned.path("dead_letters").asLong()
                + pruned.path("commands").asLong()
                + pruned.path("positions").asLong();
        return all == 0
                ? ""
                : " The inbox forgot " + Fields.count(pruned, "inbox") + " events and "
                        + Fields.count(pruned, "commands") + " commands; " + Fields.count(pruned, "dead_letters")
                        + " dead letters and " + Fields.count(pruned, "positions") + " positions are gone.";
    }
}
