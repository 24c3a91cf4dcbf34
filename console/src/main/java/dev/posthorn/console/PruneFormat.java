package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresInboxPruner;
import dev.posthorn.postgres.PostgresPruner;

/** What was pruned, for programs. */
public final class PruneFormat {

    private PruneFormat() {}

    /** Beside what the caller says of how it was asked for. */
    public static ObjectNode json(ObjectNode asked, PostgresPruner.Report report, PostgresInboxPruner.Report inbox) {
        return asked.put("events", report.events())
                .put("archived", report.archived())
                .put("volumes", report.volumes())
                .put("checkpoints", report.checkpoints())
                .put("flushes", report.flushes())
                .put("inbox", inbox.marks())
                .put("dead_letters", inbox.letters())
                .put("outside_calls", inbox.calls())
                .put("commands", inbox.commands())
                .put("positions", inbox.positions())
                .put("kept", report.kept())
                .put("busy", report.busy());
    }
}
