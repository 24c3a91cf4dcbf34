package dev.posthorn.server;

import dev.posthorn.event.PosthornException;
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
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread created = new Thread(work, "posthorn-prune");
        created.setDaemon(true);
        return created;
    });

    private Housekeeping(PostgresPruner pruner) {
        this.pruner = pruner;
    }

    /** Goes on until the process ends. */
    static void start(PostgresPruner pruner, Duration every) {
        Housekeeping started = new Housekeeping(pruner);
        Future<?> unused = started.thread.scheduleWithFixedDelay(
                started::prune, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void prune() {
        try {
            Report report = pruner.prune(events -> {});
            if (report.events() + report.archived() + report.checkpoints() > 0) {
                LOG.info(
                        "Archived {} events, pruned {} and {} checkpoints",
                        report.archived(),
                        report.events(),
                        report.checkpoints());
            }
        } catch (PosthornException failed) {
            LOG.warn("Pruning ended early: {}", failed.getMessage());
        } catch (RuntimeException unexpected) { // or it would never run again
            LOG.warn("Pruning ended early", unexpected);
        }
    }
}
