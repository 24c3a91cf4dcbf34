package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends handlers that take too long: their thread is interrupted, and what their session runs is cancelled. One that heeds
 * neither goes on, and holds its thread and its key until it ends by itself; {@link #overdue} names it.
 *
 * <p>Looks at all that run every twentieth of the limit, and not by an alarm for each: that would wake a thread for every
 * event.
 */
final class TimeLimit implements AutoCloseable {

    private static final int LOOKS = 20;
    private static final Duration MOST_OFTEN = Duration.ofMillis(5);
    private static final Duration SELDOM = Duration.ofMillis(250);
    /** Handlers that heed their interruption end within it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Duration limit;
    private final Set<Run> running = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor clock;

    TimeLimit(Duration limit, String consumer) {
        this.limit = limit;
        this.clock =
                new ScheduledThreadPoolExecutor(1, work -> Threads.daemon("posthorn-handler-time-" + consumer, work));
        long every = Math.min(
                SELDOM.toNanos(),
                Math.max(MOST_OFTEN.toNanos(), limit.dividedBy(LOOKS).toNanos()));
        var unused = clock.scheduleWithFixedDelay(this::look, every, every, TimeUnit.NANOSECONDS);
    }

    private void look() {
        long now = System.nanoTime();
        running.forEach(run -> run.expireIf(now - run.since >= limit.toNanos()));
    }

    /** Handlers that still run although their time was over a while ago, as a sentence about the one that began first. */
    Optional<String> overdue() {
        long now = System.nanoTime();
        long tolerated = limit.plus(GRACE).toNanos();
        return running.stream()
                .filter(run -> now - run.since >= tolerated)
                .min(Comparator.comparingLong(run -> run.since - now))
                .map(run -> "Handler \"" + run.handler + "\" has been handling event " + run.event.id()
                        + " for longer than its limit of " + limit.toMillis() + " ms and ignores its interruption");
    }

    /** Runs it here; throws {@link TimeoutException} instead of whatever came of it if its time was over. */
    <R> R run(InboxSession<?> session, String handler, Event event, Callable<R> work) throws Exception {
        if (clock.isShutdown()) {
            throw new InterruptedException("the consumer has ended");
        }
        Run run = new Run(session, handler, event);
        running.add(run);
        try {
            R result = work.call();
            if (run.end()) {
                throw timedOut();
            }
            return result;
        } catch (Throwable failed) {
            if (run.end()) {
                throw timedOut();
            }
            throw failed;
        } finally {
            running.remove(run);
        }
    }

    private TimeoutException timedOut() {
        return new TimeoutException("it took longer than " + limit);
    }

    /** Either it ends or its time does, and only one of them. */
    private static final class Run {

        private final InboxSession<?> session;
        private final String handler;
        private final Event event;
        private final Thread thread = Thread.currentThread();
        private final long since = System.nanoTime();
        private boolean ended;
        private boolean expired;

        Run(InboxSession<?> session, String handler, Event event) {
            this.session = session;
            this.handler = handler;
            this.event = event;
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
