package dev.posthorn.systemtests;

import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Producers in threads that make purchases without end, roll some back, and start anew when their connection breaks.
 *
 * <p>They remember what the database told them: committed, or rolled back, or nothing because the connection broke in
 * between.
 */
final class Load implements AutoCloseable {

    private static final int ROLLED_BACK_OF_100 = 10;
    private static final int MOST_EVENTS_OF_ONE = 8;

    private final Shop shop;
    private final long pauseNanos;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<UUID> committed = new ConcurrentLinkedQueue<>();
    private final Queue<UUID> rolledBack = new ConcurrentLinkedQueue<>();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong broken = new AtomicLong();
    private volatile boolean stopped;

    private Load(Shop shop, Duration pause) {
        this.shop = shop;
        this.pauseNanos = pause.toNanos();
    }

    /** So many threads, each with that pause after every transaction. */
    static Load start(Shop shop, Random random, int threads, Duration pause) {
        Load load = new Load(shop, pause);
        for (int i = 0; i < threads; i++) {
            Random own = new Random(random.nextLong());
            Thread thread = new Thread(() -> load.produce(own), "producer-" + i);
            thread.setDaemon(true);
            load.threads.add(thread);
            thread.start();
        }
        return load;
    }

    private void produce(Random random) {
        while (!stopped) {
            try (Connection connection = shop.connect()) {
                connection.setAutoCommit(false);
                while (!stopped) {
                    purchase(connection, random);
                    LockSupport.parkNanos(pauseNanos);
                }
            } catch (SQLException | PosthornException disturbed) {
                broken.incrementAndGet();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private void purchase(Connection connection, Random random) throws SQLException {
        String account = "account-" + random.nextInt(Shop.ACCOUNTS);
        List<UUID> ids = Purchase.emit(connection, account, 1 + random.nextInt(MOST_EVENTS_OF_ONE));
        if (random.nextInt(100) < ROLLED_BACK_OF_100) {
            connection.rollback();
            rolledBack.addAll(ids);
        } else {
            connection.commit();
            committed.addAll(ids);
            events.addAndGet(ids.size());
        }
    }

    /** How many events were committed so far, as far as the producers were told. */
    long events() {
        return events.get();
    }

    /** How often a producer lost its connection. */
    long broken() {
        return broken.get();
    }

    /** What the database said is committed. */
    Set<UUID> committed() {
        return new TreeSet<>(committed);
    }

    Set<UUID> rolledBack() {
        return new TreeSet<>(rolledBack);
    }

    /** Waits until so many more events are committed. */
    void await(long more) {
        long goal = events() + more;
        Await.until(() -> goal + " events, so far " + events(), () -> events() >= goal);
    }

    /** Ends the producers after their current transaction. */
    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(60));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
