package dev.posthorn.inbox;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits while the inbox is out of reach. The delivery stays unsettled meanwhile, so that an outage of the database charges no
 * attempt to any event, and nothing more is taken than the prefetch allows.
 */
final class Patience {

    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Journal journal;
    private final CountDownLatch stopped = new CountDownLatch(1);

    Patience(Journal journal) {
        this.journal = journal;
    }

    /** Tries until the inbox can be reached; throws {@link StoppedException} if the consumer ends before. */
    <R> R until(Supplier<R> work) {
        Duration pause = FIRST;
        while (true) {
            try {
                return work.get();
            } catch (InboxException outage) {
                String reason = String.valueOf(outage.getMessage());
                journal.outage(reason);
                LOG.warn("Nothing is handled, trying again in {}: {}", pause, reason);
                await(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
            }
        }
    }

    private void await(Duration pause) {
        try {
            if (stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new StoppedException();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }

    /** Whoever waits gives up. */
    void stop() {
        stopped.countDown();
    }

    boolean isStopped() {
        return stopped.getCount() == 0;
    }
}
