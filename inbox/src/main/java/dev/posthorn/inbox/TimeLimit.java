package dev.posthorn.inbox;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends handlers that take too long: their thread is interrupted, and what their session runs is cancelled. One that heeds
 * neither goes on, and holds its thread until it ends by itself.
 *
 * <p>Looks at all that run every twentieth of the limit, and not by an alarm for each: that would wake a thread for every
 * event.
 */
final class TimeLimit implements AutoCloseable {

    private static final int LOOKS = 20;
    private static final Duration MOST_OFTEN = Duration.ofMillis(5);
    private static final Duration SELDOM = Duration.ofMillis(250);

    private final Duration limit;
    private final Set<Run> running = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor clock;

    TimeLimit(Duration limit, String consumer) {
        this.limit = limit;
        this.clock = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "posthorn-handler-time-" + consumer);
            thread.setDaemon(true);
            return thread;
        });
        long every = Math.min(
                SELDOM.toNanos(),
                Math.max(MOST_OFTEN.toNanos(), limit.dividedBy(LOOKS).toNanos()));
        var unused = clock.scheduleWithFixedDelay(this::look, every, every, TimeUnit.NANOSECONDS);
    }

    private void look() {
        long now = System.nanoTime();
        running.forEach(run -> run.expireIf(now - run.since >= limit.toNanos()));
    }

    /** Runs it here; throws {@link TimeoutException} instead of whatever came of it if its time was over. */
    <R> R run(InboxSession<?> session, Callable<R> work) throws Exception {
        if (clock.isShutdown()) {
            throw new InterruptedException("the consumer has ended");
        }
        Run run = new Run(session, Thread.currentThread());
        running.add(run);
        try {
            R result = work.call();
            if (run.end()) {
                throw overdue();
            }
            return result;
        } catch (Throwable failed) {
            if (run.end()) {
                throw overdue();
            }
            throw failed;
        } finally {
            running.remove(run);
        }
    }

    private TimeoutException overdue() {
        return new TimeoutException("it took longer than " + limit);
    }

    /** Either it ends or its time does, and only one of them. */
    private static final class Run {

        private final InboxSession<?> session;
        private final Thread thread;
        private final long since = System.nanoTime();
        private boolean ended;
        private boolean expired;

        Run(InboxSession<?> session, Thread thread) {
            this.session = session;
            this.thread = thread;
        }

        synchronized void expireIf(boolean over) {
            if (over && !ended && !expired) {
                expired = true;
                session.cancel();
                thread.interrupt();
            }
        }

        /** Whether its time was over; then the interruption is spent. */
        synchronized boolean end() {
            ended = true;
            if (expired) {
                boolean unused = Thread.interrupted();
            }
            return expired;
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
