package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many producers at once that do everything a producer may do to the order of commits: stall, roll back, roll back to a
 * savepoint, prepare and leave the end to others.
 *
 * <p>A key's row is locked before its event is emitted, and holds the key's version, which is the event's sequence.
 */
final class Writers implements AutoCloseable {

    private static final int THREADS = 16;
    private static final int KEYS = 60;

    private final HikariDataSource pool;
    private final PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final AtomicInteger prepared = new AtomicInteger();
    final AtomicInteger rolledBack = new AtomicInteger();

    Writers(TestPostgres postgres, HikariDataSource pool) throws SQLException {
        this.pool = pool;
        postgres.run("CREATE TABLE IF NOT EXISTS aggregate (key text PRIMARY KEY, version bigint NOT NULL DEFAULT 0)");
        postgres.run("INSERT INTO aggregate (key) SELECT 'key-' || i FROM generate_series(0, " + (KEYS - 1) + ") i"
                + " UNION ALL SELECT 'long-' || i FROM generate_series(0, 9) i ON CONFLICT DO NOTHING");
    }

    /** Runs so many transactions of each writer and returns when all have ended. */
    void run(int transactions, Random random) throws InterruptedException, ExecutionException {
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random own = new Random(random.nextLong());
            writers.add(threads.submit(() -> {
                for (int n = 0; n < transactions; n++) {
                    transaction(own);
                }
                return null;
            }));
        }
        for (Future<?> writer : writers) {
            writer.get();
        }
    }

    private void transaction(Random random) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            TreeSet<String> keys = new TreeSet<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                keys.add("key-" + random.nextInt(KEYS));
            }
            for (String key : keys) {
                emitOne(connection, key, random);
            }
            int end = random.nextInt(100);
            if (end < 12) {
                connection.rollback();
                rolledBack.incrementAndGet();
            } else if (end < 22) {
                prepareAndEnd(connection, random);
            } else {
                connection.commit();
            }
            connection.setAutoCommit(true);
        }
    }

    /** One event, or one more that a savepoint takes back, or a stall before or after it. */
    private void emitOne(Connection connection, String key, Random random) throws SQLException {
        stall(connection, random);
        if (random.nextInt(8) == 0) {
            Savepoint savepoint = connection.setSavepoint();
            emit(connection, key, 1 + random.nextInt(3));
            connection.rollback(savepoint);
            rolledBack.incrementAndGet();
        }
        if (random.nextInt(8) == 0) {
            connection.setSavepoint();
        }
        emit(connection, key, 1 + random.nextInt(3));
        if (random.nextInt(6) == 0) {
            outbox.emit(connection, List.of(Event.of("shop", "keyless").build()));
        }
        stall(connection, random);
    }

    /** Emits events of a key under its row's lock. */
    void emit(Connection connection, String key, int count) throws SQLException {
        long version = lockedVersion(connection, key);
        List<Event> events = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            events.add(
                    Event.of("shop", "changed").key(key).sequence(version + i).build());
        }
        outbox.emit(connection, events);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE aggregate SET version = version + ? WHERE key = ?")) {
            update.setInt(1, count);
            update.setString(2, key);
            update.executeUpdate();
        }
    }

    private static long lockedVersion(Connection connection, String key) throws SQLException {
        try (PreparedStatement lock =
                connection.prepareStatement("SELECT version FROM aggregate WHERE key = ? FOR UPDATE")) {
            lock.setString(1, key);
            try (ResultSet row = lock.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private void prepareAndEnd(Connection connection, Random random) throws SQLException {
        String name = "exactness-" + prepared.incrementAndGet() + "-" + System.identityHashCode(this);
        TestPostgres.run(connection, "PREPARE TRANSACTION '" + name + "'");
        connection.commit();
        boolean commits = random.nextInt(4) > 0;
        try (Connection other = pool.getConnection()) {
            stall(other, random);
            TestPostgres.run(other, (commits ? "COMMIT" : "ROLLBACK") + " PREPARED '" + name + "'");
        }
        if (!commits) {
            rolledBack.incrementAndGet();
        }
    }

    /** In the server, as a producer does that has other work to do in its transaction. */
    private static void stall(Connection connection, Random random) throws SQLException {
        int kind = random.nextInt(30);
        if (kind < 4) {
            double seconds = kind == 0 ? random.nextDouble() / 10 : random.nextDouble() / 200;
            TestPostgres.rows(connection, "SELECT pg_sleep(" + seconds + ")");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
