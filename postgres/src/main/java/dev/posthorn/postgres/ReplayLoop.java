package dev.posthorn.postgres;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerReport;
import dev.posthorn.relay.Loop;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Target;
import dev.posthorn.transport.FailureLog;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes replays beside a relay, or has them handled beside a consumer. Owns one background thread. */
public final class ReplayLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReplayLoop.class);

    private final ReplayStep step;
    private final Loop loop;

    private ReplayLoop(ReplayStep step, Loop loop) {
        this.step = step;
        this.loop = loop;
    }

    /** Has the replays that go straight to this consumer handled by it. Close this before the consumer. */
    public static ReplayLoop of(Consumer<?> consumer, DataSource database, Schema schema) {
        ConsumerReport member = consumer.report();
        return start(new ReplayStep.Parts(
                member.member(),
                Target.consumer(member.consumer()),
                new PostgresReplays(database, schema),
                consumer.replays(),
                ReplayConfig.standard()));
    }

    /** Serves the replays of one target. */
    public static ReplayLoop start(ReplayStep.Parts parts) {
        ReplayStep step = new ReplayStep(parts);
        FailureLog failures = new FailureLog(LOG, "Replaying", parts.ids());
        Loop loop = new Loop("posthorn-replaying-" + parts.owner(), step::runOnce, failures);
        step.onAnswer(loop::wake);
        loop.start();
        return new ReplayLoop(step, loop);
    }

    /** Gives the replay back. That the database is not there for it must not keep anybody from their own end. */
    @Override
    public void close() {
        loop.close();
        try {
            step.close();
        } catch (RuntimeException failed) {
            LOG.warn(
                    "A replay was not given back, so the next process waits for a while: {} {}",
                    failed.getMessage(),
                    step.ids());
        }
    }
}
