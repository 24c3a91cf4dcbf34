package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresInboxPruner;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.PostgresPruner.Report;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "prune",
        description =
                "Removes events that every live route has published longer ago than the retention, and the"
                        + " checkpoints that only tell of such. Events that are dead, scheduled or wait behind a blocked key stay. Also"
                        + " removes what the inbox of consumers need not know any more, and their commands and dead letters after"
                        + " retentions of their own. Relays do all this by themselves; producers, relays and readers go on meanwhile.",
        footer = {"", "Example: posthorn prune --archive /mnt/archive --archive-after 90d --dry-run"})
final class PruneCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofMinutes(10);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private Database database = new Database();

    @Mixin
    private PruneOptions options = new PruneOptions();

    @Option(names = "--dry-run", description = "Only tells how many events it would remove.")
    private boolean dryRun;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        options.check();
        PrintWriter err = command.commandLine().getErr();
        options.retention().warnings().forEach(warning -> err.println("posthorn: " + warning));
        try (HikariDataSource source = database.connect(ANSWER)) {
            PostgresPruner pruner = options.retention().pruner(source, database.schema());
            Report report = dryRun ? pruner.look() : pruner.prune(new Progress("removed", err));
            PostgresInboxPruner.Report inbox = dryRun || report.busy()
                    ? new PostgresInboxPruner.Report(0, 0, 0, 0)
                    : options.retention().inboxPruner(source, database.schema()).prune();
            output.print(() -> json(report, inbox), () -> text(report) + text(inbox));
            return 0;
        }
    }

    private ObjectNode json(Report report, PostgresInboxPruner.Report inbox) {
        return Json.object()
                .put("dry_run", dryRun)
                .put(options.archive() == null ? "retention" : "archive_after", DurationConverter.text(options.age()))
                .put(
                        "archive",
                        options.archive() == null ? null : options.archive().toString())
                .put("events", report.events())
                .put("archived", report.archived())
                .put("volumes", report.volumes())
                .put("checkpoints", report.checkpoints())
                .put("flushes", report.flushes())
                .put("inbox", inbox.marks())
                .put("dead_letters", inbox.letters())
                .put("outside_calls", inbox.calls())
                .put("commands", inbox.commands())
                .put("kept", report.kept())
                .put("busy", report.busy());
    }

    private static String text(PostgresInboxPruner.Report inbox) {
        return inbox.marks() + inbox.letters() + inbox.commands() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " The inbox forgot %,d events and %,d commands; %,d dead letters are gone.",
                        inbox.marks(),
                        inbox.commands(),
                        inbox.letters());
    }

    private String text(Report report) {
        if (report.busy()) {
            return "Another one is pruning; nothing more to do here.";
        }
        if (dryRun) {
            return String.format(
                    Locale.ROOT,
                    "%,d events would be %s. Nothing was changed.",
                    report.events(),
                    options.archive() == null ? "removed" : "archived and removed");
        }
        String removed = String.format(
                Locale.ROOT,
                "Removed %,d events, %,d checkpoints and %,d flushes.",
                report.events(),
                report.checkpoints(),
                report.flushes());
        return options.archive() == null
                ? removed
                : String.format(
                        Locale.ROOT,
                        "Archived %,d events in %,d volumes. %s",
                        report.archived(),
                        report.volumes(),
                        removed);
    }
}
