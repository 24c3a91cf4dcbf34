package dev.posthorn.demo;

import dev.posthorn.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The consumer: notes what arrives and in which order, and writes it into the table arrived.
 *
 * <p>It takes events on one thread and writes on another, so that the database never holds up the subscription.
 */
final class Arrivals implements Consumer<Event> {

    private static final String WRITE = """
            INSERT INTO posthorn_demo.arrived (ordinal, id, key, sequence)
            SELECT * FROM unnest(?::bigint[], ?::uuid[], ?::text[], ?::bigint[])
            """;
    private static final String FORGET = "DELETE FROM posthorn_demo.arrived WHERE ordinal >= ?";

    private final DataSource pool;
    private final Predicate<Event> mine;
    private final LagMeter lag;
    private final AtomicLong firsts = new AtomicLong();
    private long count;
    private List<Arrival> noted = new ArrayList<>();
    private @Nullable List<Arrival> unsure;
    private volatile long lastAt = System.nanoTime();

    private record Arrival(
            long ordinal,
            UUID id,
            @Nullable String key,
            @Nullable Long sequence) {}

    Arrivals(DataSource pool, Predicate<Event> mine, LagMeter lag) {
        this.pool = pool;
        this.mine = mine;
        this.lag = lag;
    }

    @Override
    public void accept(Event event) {
        if (!mine.test(event)) {
            return;
        }
        if (lag.arrived(event.id())) {
            firsts.incrementAndGet();
        }
        lastAt = System.nanoTime();
        Long sequence = event.sequence().isPresent() ? event.sequence().getAsLong() : null;
        synchronized (this) {
            noted.add(new Arrival(count++, event.id(), event.key().orElse(null), sequence));
        }
    }

    /** How many came, without duplicates. */
    long firsts() {
        return firsts.get();
    }

    /** When the last one came, as {@link System#nanoTime}. */
    long lastAt() {
        return lastAt;
    }

    /** Writes what was noted; after an exception call it again. One thread at a time. */
    void write() throws SQLException {
        List<Arrival> batch = unsure != null ? unsure : take();
        while (!batch.isEmpty()) {
            boolean again = batch == unsure;
            unsure = batch;
            write(batch, again);
            unsure = null;
            batch = take();
        }
    }

    private synchronized List<Arrival> take() {
        List<Arrival> taken = noted;
        noted = new ArrayList<>();
        return taken;
    }

    /** A commit that failed may have worked, so the second try first forgets the first. */
    private void write(List<Arrival> batch, boolean again) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            if (again) {
                try (PreparedStatement forget = connection.prepareStatement(FORGET)) {
                    forget.setLong(1, batch.get(0).ordinal());
                    forget.executeUpdate();
                }
            }
            try (PreparedStatement write = connection.prepareStatement(WRITE)) {
                bind(write, 1, "bigint", batch, Arrival::ordinal);
                bind(write, 2, "uuid", batch, Arrival::id);
                bind(write, 3, "text", batch, Arrival::key);
                bind(write, 4, "bigint", batch, Arrival::sequence);
                write.executeUpdate();
            }
            connection.commit();
        }
    }

    private static void bind(
            PreparedStatement statement,
            int at,
            String type,
            List<Arrival> batch,
            Function<Arrival, @Nullable Object> field)
            throws SQLException {
        Object[] values = batch.stream().map(field).toArray();
        statement.setArray(at, statement.getConnection().createArrayOf(type, values));
    }
}
