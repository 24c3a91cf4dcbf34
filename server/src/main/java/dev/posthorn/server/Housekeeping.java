package dev.posthorn.server;

import dev.posthorn.claimcheck.PayloadCollector;
import dev.posthorn.operations.PruneMetrics;
import dev.posthorn.postgres.PostgresInboxPruner;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.PostgresPruner.Report;
import dev.posthorn.transport.FailureLog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes now and then beside a relay. Owns one background thread. */
final class Housekeeping {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    /** What goes on in it. */
    record Work(PostgresPruner pruner, PostgresInboxPruner inbox, Optional<PayloadCollector> collector) {}

    private final Work work;
    private final PruneMetrics metrics;
    private final FailureLog failures = new FailureLog(LOG, "Pruning", "");
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(loop -> {
        Thread created = new Thread(loop, "posthorn-prune");
        created.setDaemon(true);
        return created;
    });

    private Housekeeping(Work work, PruneMetrics metrics) {
        this.work = work;
        this.metrics = metrics;
    }

    /** Goes on until the process ends. */
    static void start(Work work, Duration every, PruneMetrics metrics) {
        Housekeeping started = new Housekeeping(work, metrics);
        Future<?> unused = started.thread.scheduleWithFixedDelay(
                started::runOnce, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void runOnce() {
        quietly("log", this::prune);
        quietly("inbox", this::pruneInbox);
        work.collector().ifPresent(collector -> quietly("payloads", () -> collect(collector)));
    }

    private static void collect(PayloadCollector collector) {
        PayloadCollector.Report report = collector.runOnce();
        if (report.released() + report.orphans() > 0) {
            LOG.info(
                    "Removed {} payloads of events that are gone, and {} of none", report.released(), report.orphans());
        }
    }

    private void prune() {
        Report report = work.pruner().prune(events -> {});
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
        PostgresInboxPruner.Report report = work.inbox().prune();
        if (report.marks() + report.letters() + report.commands() + report.positions() > 0) {
            LOG.info(
                    "Pruned {} events and {} commands from the inbox, {} dead letters and {} positions",
                    report.marks(),
                    report.commands(),
                    report.letters(),
                    report.positions());
        }
    }

    private void quietly(String part, Runnable step) {
        try {
            step.run();
            failures.recovered(part);
        } catch (Throwable failed) { // or it would never run again
            metrics.failed();
            failures.failed(part, failed);
        }
    }
}
