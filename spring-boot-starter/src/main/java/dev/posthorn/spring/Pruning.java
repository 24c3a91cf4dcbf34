package dev.posthorn.spring;

import dev.posthorn.event.PosthornException;
import dev.posthorn.operations.PruneMetrics;
import dev.posthorn.postgres.PostgresInboxPruner;
import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.relay.Loop;
import dev.posthorn.transport.FailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes now and then what is older than the retention. Processes that try at the same time take turns. */
final class Pruning extends LoopPart {

    private static final Logger LOG = LoggerFactory.getLogger(Pruning.class);

    private final PosthornRetentionProperties properties;
    private final PostgresPruner log;
    private final PostgresInboxPruner inbox;
    private final PruneMetrics metrics;
    private final FailureLog failures = new FailureLog(LOG, "Pruning", "");
    /** Of the loop: the first turn comes at the start, when there are better things to do. */
    private boolean first = true;

    Pruning(LogPlace place, PosthornRetentionProperties properties, PruneMetrics metrics) {
        this.properties = properties.usable();
        this.metrics = metrics;
        this.log = new PostgresPruner(place.database(), place.schema(), this.properties.log());
        this.inbox = new PostgresInboxPruner(place.database(), place.schema(), this.properties.ofInbox());
    }

    private void prune() {
        try {
            PostgresPruner.Report report = log.prune(events -> {});
            metrics.done(report.events(), report.archived());
            inbox.prune();
            failures.recovered();
        } catch (PosthornException failed) {
            metrics.failed();
            failures.failed(failed);
        }
    }

    @Override
    @Nullable
    Loop begin() {
        if (!properties.prune()) {
            return null;
        }
        first = true;
        return new Loop("posthorn-prune", () -> {
                    if (!first) {
                        prune();
                    }
                    first = false;
                    return properties.every();
                })
                .start();
    }
}
