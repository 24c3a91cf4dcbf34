package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * The events of a benchmark, emitted as an application does: through the outbox, a hundred per transaction.
 *
 * <p>Event i has sequence i and key i modulo the number of keys.
 */
final class Backlog {

    /** BEGIN, the INSERT of all its events, COMMIT. */
    static final int STATEMENTS_EACH = 3;

    private static final int PER_TRANSACTION = 100;
    private static final long SECOND = 1_000_000_000L;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private final BenchOptions options;
    private final Random random = new Random(42);

    Backlog(BenchOptions options) {
        this.options = options;
    }

    /** Emits all of them as fast as it goes. */
    void emit(BenchContext context) throws SQLException {
        emit(context, Integer.MAX_VALUE);
    }

    /** Emits these, as fast as it goes. */
    void emit(BenchContext context, List<Event> events) throws SQLException {
        emit(context, events, new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(context.schema())));
    }

    /** The same through another outbox. */
    void emit(BenchContext context, List<Event> events, Outbox outbox) throws SQLException {
        try (Connection connection = context.pool().getConnection()) {
            connection.setAutoCommit(false);
            for (int from = 0; from < events.size(); from += PER_TRANSACTION) {
                outbox.emit(connection, events.subList(from, Math.min(events.size(), from + PER_TRANSACTION)));
                connection.commit();
            }
            connection.setAutoCommit(true);
        }
    }

    /** Emits all of them, no more than so many a second. Answers in how many transactions. */
    int emit(BenchContext context, int perSecond) throws SQLException {
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(context.schema()));
        context.say(
                "emitting %,d events of %d bytes over %,d keys", options.events(), options.payload(), options.keys());
        int transactions = 0;
        long start = System.nanoTime();
        try (Connection connection = context.pool().getConnection()) {
            connection.setAutoCommit(false);
            for (int from = 0; from < options.events(); from += PER_TRANSACTION) {
                int to = Math.min(options.events(), from + PER_TRANSACTION);
                outbox.emit(connection, events(from, to));
                connection.commit();
                transactions++;
                LockSupport.parkNanos(start + to * SECOND / perSecond - System.nanoTime());
            }
            connection.setAutoCommit(true);
        }
        return transactions;
    }

    private List<Event> events(int from, int to) {
        List<Event> events = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            events.add(event(i));
        }
        return events;
    }

    Event event(int i) {
        return event(i, payload());
    }

    /** One with a payload that is there already. */
    Event event(int i, byte[] payload) {
        return Event.of("orders", "order.placed")
                .key("order-" + i % options.keys())
                .sequence(i)
                .payload(payload, "application/json")
                .build();
    }

    /** A JSON text of exactly the size, if that is large enough to be one. */
    byte[] payload() {
        StringBuilder text = new StringBuilder("\"");
        while (text.length() < options.payload() - 1) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.append('"').toString().getBytes(StandardCharsets.UTF_8);
    }
}
