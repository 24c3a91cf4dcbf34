package dev.posthorn.server;

import dev.posthorn.event.PosthornException;
import dev.posthorn.operations.PruneMetrics;
import dev.posthorn.postgres.PostgresInboxPruner;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.PostgresPruner.Report;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes now and then beside a relay. Owns one background thread. */
final class Housekeeping {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    private final PostgresPruner pruner;
    private final PostgresInboxPruner inbox;
    private final PruneMetrics metrics;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread created = new Thread(work, "posthorn-prune");
        created.setDaemon(true);
        return created;
    });

    private Housekeeping(PostgresPruner pruner, PostgresInboxPruner inbox, PruneMetrics metrics) {
        this.pruner = pruner;
        this.inbox = inbox;
        this.metrics = metrics;
    }

    /** Goes on until the process ends. */
    static void start(PostgresPruner pruner, PostgresInboxPruner inbox, Duration every, PruneMetrics metrics) {
        Housekeeping started = new Housekeeping(pruner, inbox, metrics);
        Future<?> unused = started.thread.scheduleWithFixedDelay(
                started::runOnce, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void runOnce() {
        quietly(this::prune);
        quietly(this::pruneInbox);
    }

    private void prune() {
        Report report = pruner.prune(events -> {});
        metrics.done(report.events(), report.archived());
        if (report.events() + report.archived() + report.checkpoints() > 0) {
            LOG.info(
                    "Archived {} events, pruned {} and {} checkpoints",
                    report.archived(),
                    report.events(),
                    report.checkpoints());
        }
    }

    private void pruneInbox() {
        PostgresInboxPruner.Report report = inbox.prune();
        if (report.marks() + report.letters() + report.commands() > 0) {
            LOG.info(
                    "Pruned {} events and {} commands from the inbox, and {} dead letters",
                    report.marks(),
                    report.commands(),
                    report.letters());
        }
    }

    private void quietly(Runnable work) {
        try {
            work.run();
        } catch (PosthornException failed) {
            metrics.failed();
            LOG.warn("Pruning ended early: {}", failed.getMessage());
        } catch (RuntimeException unexpected) { // or it would never run again
            metrics.failed();
            LOG.warn("Pruning ended early", unexpected);
        }
    }
}
