package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.PostgresPruner.Report;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "prune",
        description = "Removes events that every live route has published longer ago than the retention, and the"
                + " checkpoints that only tell of such. Dead letters, blocked keys and scheduled events stay. Relays do"
                + " this by themselves; producers, relays and readers go on meanwhile.",
        footer = {"", "Example: posthorn prune --retention 90d --dry-run"})
final class PruneCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofMinutes(10);
    private static final long PROGRESS = 100_000;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private Database database = new Database();

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            defaultValue = "30d",
            description = "How long an event is kept after it was published. Default: ${DEFAULT-VALUE}.")
    private Duration retention = PostgresPruner.STANDARD_RETENTION;

    @Option(names = "--dry-run", description = "Only tells how many events it would remove.")
    private boolean dryRun;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        try (HikariDataSource source = database.connect(ANSWER)) {
            PostgresPruner pruner = new PostgresPruner(source, database.schema(), retention);
            Report report = dryRun
                    ? pruner.look()
                    : pruner.prune(new Progress(command.commandLine().getErr()));
            output.print(() -> json(report), () -> text(report));
            return 0;
        }
    }

    private ObjectNode json(Report report) {
        return Json.object()
                .put("dry_run", dryRun)
                .put("retention", DurationConverter.text(retention))
                .put("events", report.events())
                .put("checkpoints", report.checkpoints())
                .put("flushes", report.flushes())
                .put("kept", report.kept())
                .put("busy", report.busy());
    }

    private String text(Report report) {
        if (report.busy()) {
            return "Another one is pruning; nothing more to do here.";
        }
        return dryRun
                ? String.format(Locale.ROOT, "%,d events would be removed. Nothing was changed.", report.events())
                : String.format(
                        Locale.ROOT,
                        "Removed %,d events, %,d checkpoints and %,d flushes.",
                        report.events(),
                        report.checkpoints(),
                        report.flushes());
    }

    /** A line now and then. */
    private static final class Progress implements LongConsumer {

        private final PrintWriter err;
        private long next = PROGRESS;

        Progress(PrintWriter err) {
            this.err = err;
        }

        @Override
        public void accept(long events) {
            if (events >= next) {
                err.printf(Locale.ROOT, "removed %,d events…%n", events);
                err.flush();
                next = events + PROGRESS;
            }
        }
    }
}
