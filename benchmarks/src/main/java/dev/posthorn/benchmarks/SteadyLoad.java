package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Emits at a steady rate, one event a transaction, and tells how long after its commit each was published.
 *
 * <p>The commit is the moment when it returned to the emitter. An event that was published even before that took 0.
 *
 * <p>Events of the first second are emitted and do not count: a relay that nobody wakes up looks at an idle log rarely, and
 * this is about the time after that.
 */
final class SteadyLoad implements Arrivals {

    private static final long PATIENCE_SECONDS = 60;
    private static final double SECOND = 1e9;
    private static final Duration LEAD_IN = Duration.ofSeconds(1);
    /** One emitter can not commit more often than the disk answers. */
    private static final int PER_EMITTER = 125;

    private final BenchContext context;
    private final Outbox outbox;
    private final int rate;
    /** How many events are emitted before those that count. */
    private final int leadIn;

    private final AtomicLongArray committed;
    private final AtomicLongArray published;
    private final CountDownLatch waiting;

    SteadyLoad(BenchContext context, int rate, Duration length) {
        this.context = context;
        this.outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(context.schema()));
        this.rate = rate;
        this.leadIn = (int) (rate * Math.min(LEAD_IN.toMillis(), length.toMillis()) / 1_000);
        int count = leadIn + (int) Math.max(2, rate * length.toMillis() / 1_000);
        this.committed = new AtomicLongArray(count);
        this.published = new AtomicLongArray(count);
        this.waiting = new CountDownLatch(count);
    }

    @Override
    public void published(long sequence, long at) {
        if (published.compareAndSet((int) sequence, 0, at)) {
            waiting.countDown();
        }
    }

    Latencies run(Way way) throws SQLException {
        way.tell(this);
        int emitters = (rate + PER_EMITTER - 1) / PER_EMITTER;
        ExecutorService threads = Executors.newFixedThreadPool(emitters);
        try {
            List<Future<?>> all = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < emitters; i++) {
                int first = i;
                all.add(threads.submit(() -> {
                    emit(way, start, first, emitters);
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
            if (!waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(waiting.getCount() + " events were not published in time.");
            }
            return latencies((System.nanoTime() - start) / SECOND);
        } catch (ExecutionException e) {
            throw new IllegalStateException("An emitter failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while emitting", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void emit(Way way, long start, int first, int step) throws SQLException {
        Backlog events = new Backlog(context.options());
        try (Connection connection = context.connect()) {
            connection.setAutoCommit(false);
            for (int i = first; i < committed.length(); i += step) {
                Event event = events.event(i);
                long due = start + (long) (i * SECOND / rate);
                while (due - System.nanoTime() > 0) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                outbox.emit(connection, event);
                connection.commit();
                committed.set(i, Arrivals.now());
                way.committed(event);
            }
        }
    }

    private Latencies latencies(double seconds) {
        double[] milliseconds = new double[committed.length() - leadIn];
        for (int i = 0; i < milliseconds.length; i++) {
            milliseconds[i] = Math.max(0, published.get(leadIn + i) - committed.get(leadIn + i)) / 1e6;
        }
        return new Latencies(milliseconds, committed.length() / seconds);
    }
}
