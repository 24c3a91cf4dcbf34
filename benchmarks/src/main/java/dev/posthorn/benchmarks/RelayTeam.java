package dev.posthorn.benchmarks;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Relay processes that share one route, with a log of their own. They run until closed. */
final class RelayTeam implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final BenchContext context;
    private final BenchRoute route;
    private final List<RelayChild> relays = new ArrayList<>();

    RelayTeam(BenchContext context, int size) throws SQLException {
        this.context = context;
        this.route = new BenchRoute(context, "shared");
        route.open(context.pool(), "none");
        try {
            for (int i = 1; i <= size; i++) {
                relays.add(RelayChild.start(context, route, "bench-" + i, ""));
            }
            context.say("waiting until %d relay processes share the lanes", size);
            route.awaitFairShares(size);
        } catch (SQLException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    String name() {
        return relays.size() == 1 ? "1 relay" : relays.size() + " relays";
    }

    /**
     * One backlog.
     *
     * @param nanos from the commit that made all of it visible until the last publish
     * @param duplicates publishes beyond the first of an event
     */
    record Drained(long nanos, int duplicates) {}

    /** Commits all events at once, wakes every relay up, and waits until they are published. */
    Drained drain() throws SQLException {
        context.run("TRUNCATE {schema}.outbox");
        context.settle("outbox", "checkpoint", "flush", "lease", "relay");
        Tally tally = new Tally(context.options().events());
        relays.forEach(relay -> relay.tell(tally));
        new GeneratedEvents(context).commit(0, context.options().events());
        long committed = Arrivals.now();
        relays.forEach(RelayChild::wakeUp);
        tally.await();
        route.awaitCheckpoints();
        return new Drained(tally.lastAt.get() - committed, tally.duplicates.get());
    }

    @Override
    public void close() {
        relays.forEach(RelayChild::close);
    }

    /** Which events have come, from all relays together. */
    private static final class Tally implements Arrivals {

        private final AtomicIntegerArray times;
        private final CountDownLatch missing;
        private final AtomicInteger duplicates = new AtomicInteger();
        private final AtomicLong lastAt = new AtomicLong();

        Tally(int events) {
            this.times = new AtomicIntegerArray(events);
            this.missing = new CountDownLatch(events);
        }

        @Override
        public void published(long sequence, long at) {
            lastAt.accumulateAndGet(at, Math::max);
            if (times.getAndIncrement((int) sequence) == 0) {
                missing.countDown();
            } else {
                duplicates.incrementAndGet();
            }
        }

        void await() {
            try {
                if (!missing.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException(missing.getCount() + " events were not published in time.");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while waiting for events", e);
            }
        }
    }
}
