package dev.posthorn.inbox;

import dev.posthorn.transport.FailureLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits while the inbox is out of reach. The delivery stays unsettled meanwhile, so that an outage of the database charges no
 * attempt to any event, and nothing more is taken than the prefetch allows.
 */
final class Patience {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Journal journal;
    private final FailureLog failures;
    private final CountDownLatch stopped = new CountDownLatch(1);

    Patience(Journal journal, FailureLog failures) {
        this.journal = journal;
        this.failures = failures;
    }

    /** Tries until the inbox can be reached; throws {@link StoppedException} if the consumer ends before. */
    <R> R until(Supplier<R> work) {
        Duration pause = FIRST;
        while (true) {
            try {
                R result = work.get();
                failures.recovered(Thread.currentThread().getName());
                return result;
            } catch (InboxException outage) {
                journal.outage(String.valueOf(outage.getMessage()));
                failures.failed(Thread.currentThread().getName(), outage);
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
