package dev.posthorn.systemtests;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Emits a few events of many keys every moment until it is closed; each key is numbered without gaps. */
final class SteadyWriter implements AutoCloseable {

    private static final int KEYS = 40;
    private static final int AT_ONCE = 5;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final HikariDataSource pool;
    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final Thread thread = new Thread(this::run, "steady-writer");
    private final AtomicLong committed = new AtomicLong();
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    SteadyWriter(HikariDataSource pool) {
        this.pool = pool;
        thread.start();
    }

    long committed() {
        return committed.get();
    }

    private void run() {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            while (!stopped) {
                List<Event> batch = new ArrayList<>();
                long first = committed.get();
                for (long number = first; number < first + AT_ONCE; number++) {
                    batch.add(Event.of("shop", "order.placed")
                            .key("key-" + number % KEYS)
                            .sequence(number / KEYS)
                            .json("{}")
                            .build());
                }
                outbox.emit(connection, batch);
                connection.commit();
                committed.addAndGet(AT_ONCE);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (SQLException | RuntimeException failed) {
            failure = failed;
        }
    }

    /** Everything that it emits is committed when this returns. */
    void stop() {
        stopped = true;
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure != null || thread.isAlive()) {
            throw new IllegalStateException("the writer did not end well", failure);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
