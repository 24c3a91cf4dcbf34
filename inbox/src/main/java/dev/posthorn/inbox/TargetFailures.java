package dev.posthorn.inbox;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.transport.FailureLog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the failures of each dead-letter target of a consumer, and its recovery, instead of each letter. Thread-safe. */
final class TargetFailures implements DeadLetterChain.Reports {

    private static final Logger LOG = LoggerFactory.getLogger(TargetFailures.class);

    private final String consumer;
    private final Map<DeadLetterTarget, FailureLog> byTarget = new ConcurrentHashMap<>();

    TargetFailures(String consumer) {
        this.consumer = consumer;
    }

    @Override
    public void failed(DeadLetterTarget target, Throwable cause) {
        byTarget.computeIfAbsent(
                        target,
                        any -> new FailureLog(
                                LOG, "Keeping dead letters", "consumer=" + consumer + " target=" + nameOf(target)))
                .failed(cause);
    }

    @Override
    public void kept(DeadLetterTarget target) {
        FailureLog failures = byTarget.get(target);
        if (failures != null) {
            failures.recovered();
        }
    }

    private static String nameOf(DeadLetterTarget target) {
        return target.getClass().getSimpleName();
    }
}
