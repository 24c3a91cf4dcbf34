package dev.posthorn.benchmarks;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.postgres.PostgresConsumers;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A consumer on a bus in memory whose handler writes one row for each event. */
final class Consumed {

    private static final String TABLE =
            "CREATE TABLE IF NOT EXISTS {schema}.effect (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                    + " customer text NOT NULL, amount numeric NOT NULL)";
    private static final String INSERT = "INSERT INTO {schema}.effect (customer, amount) VALUES (?, ?)";
    private static final int PREFETCH = 1_000;
    private static final long PATIENCE_SECONDS = 600;

    private final BenchContext context;
    private final MarksPlace marks;
    private final int concurrency;
    private final List<Event> events = new ArrayList<>();
    private final String insert;

    Consumed(BenchContext context, MarksPlace marks, int concurrency) throws SQLException {
        this.context = context;
        this.marks = marks;
        this.concurrency = concurrency;
        this.insert = context.inSchema(INSERT);
        Backlog backlog = new Backlog(context.options());
        for (int i = 0; i < context.options().events(); i++) {
            events.add(backlog.event(i));
        }
        context.run(TABLE);
    }

    /** Events a second, from the first that is handed over until the last is handled. */
    double run(ConsumeForm form) throws SQLException {
        context.run("TRUNCATE {schema}.effect");
        marks.clear();
        context.settle("effect", "inbox");
        ConsumerConfig config = form.applied(ConsumerConfig.of(
                Subscriber.named("bench").concurrency(concurrency).prefetch(PREFETCH)));
        double seconds;
        try (MemoryTransport bus =
                        MemoryTransport.builder().capacity(events.size()).build();
                Consumer<Connection> consumer = Consumer.start(bus, config, handlers(), equipment(form));
                Publisher publisher = bus.publisher()) {
            long start = System.nanoTime();
            publisher.publish(events.stream().map(Unanswered::new).toList());
            await(consumer, start);
            seconds = (System.nanoTime() - start) / 1e9;
        }
        verify(form);
        return events.size() / seconds;
    }

    private Handlers<Connection> handlers() {
        return Handlers.<Connection>none().onAll("book", EventHandler.of((event, connection) -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                statement.setString(1, event.key().orElse(""));
                statement.setInt(2, event.payload().remaining());
                statement.executeUpdate();
            }
        }));
    }

    private Equipment<Connection> equipment(ConsumeForm form) {
        Inbox<Connection> inbox = marks.inbox();
        return new Equipment<>(
                form.marks ? inbox : new UnmarkedInbox(inbox),
                DeadLetterChain.transport(),
                new PostgresConsumers(context.pool(), context.schema()));
    }

    private void await(Consumer<Connection> consumer, long start) {
        while (consumer.report().totals().handled() < events.size()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new IllegalStateException("Not all events were handled in time: " + consumer.report());
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
        }
    }

    private void verify(ConsumeForm form) throws SQLException {
        long effects = (long) context.number("SELECT count(*) FROM {schema}.effect");
        long marked = marks.count();
        if (effects != events.size() || marked != (form.marks ? events.size() : 0)) {
            throw new IllegalStateException(events.size() + " events " + form.label + " left " + effects
                    + " effects and " + marked + " marks.");
        }
    }
}
