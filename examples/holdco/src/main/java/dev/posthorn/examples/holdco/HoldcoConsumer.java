package dev.posthorn.examples.holdco;

import dev.posthorn.codecs.Envelopes;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** The consumer of a queue: an effect in the database for each event, once, whatever is delivered again. */
public final class HoldcoConsumer {

    /** So that event_inbox, which knows no handlers, shows what they have done. */
    private static final String HANDLER = "main";

    private static final int CONCURRENCY = 2;
    private static final int PREFETCH = 200;
    private static final int BATCH = 50;
    private static final Duration PATIENCE = Duration.ofMillis(5);
    private static final Pattern VERSION = Pattern.compile("\"version\":\\s*([0-9]+)");

    private HoldcoConsumer() {}

    /**
     * The inbox and the dead letters. A letter is kept in Postgres, where operators find and redrive it, and also in the
     * queue's own {@code .dlq}, where those look who always have.
     */
    public static Equipment<Connection> equipment(DataSource database) {
        Equipment<Connection> standard = PostgresInbox.equipment(database, Schema.DEFAULT);
        return new Equipment<>(standard.inbox(), standard.deadLetters().alsoToTransport(), standard.store());
    }

    /** Starts a member; its effects are those of the queue. */
    public static Consumer<Connection> start(Bus bus, Queue queue, Equipment<Connection> equipment) {
        return start(bus, queue, equipment, handlerOf(queue));
    }

    // docs:start:holdco-consumer
    /** Starts a member with this handler. It uses up to three connections at once. */
    public static Consumer<Connection> start(
            Bus bus, Queue queue, Equipment<Connection> equipment, EventHandler<Connection> handler) {
        Subscriber subscriber = Subscriber.named(queue.queueName())
                .domains(Holdco.DOMAIN)
                .concurrency(CONCURRENCY)
                .prefetch(PREFETCH);
        ConsumerConfig config = ConsumerConfig.of(subscriber)
                .retries(RetryPolicy.exponential()) // min(2^n * 5 s, 15 min) with jitter, then a dead letter
                .batch(BATCH, PATIENCE);
        return Consumer.start(
                Envelopes.around(bus, Holdco.ENVELOPE),
                config,
                Handlers.<Connection>none().onAll(HANDLER, handler),
                equipment);
    }
    // docs:end:holdco-consumer

    /** Writes the queue's effect, of what was in the envelope. */
    public static EventHandler<Connection> handlerOf(Queue queue) {
        return (event, connection) -> {
            Matcher version = VERSION.matcher(new String(event.payloadBytes(), StandardCharsets.UTF_8));
            if (!version.find()) {
                return Verdict.reject("its payload has no version");
            }
            write(queue, event, Long.parseLong(version.group(1)), connection);
            return Verdict.done();
        };
    }

    private static void write(Queue queue, Event event, long version, Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(queue.insertEffect())) {
            insert.setObject(1, event.id());
            insert.setString(2, event.aggregateType().orElseThrow());
            insert.setObject(3, UUID.fromString(event.aggregateId().orElseThrow()));
            insert.setString(4, event.type());
            insert.setLong(5, version);
            insert.setObject(6, event.occurredAt().atOffset(ZoneOffset.UTC));
            insert.executeUpdate();
        }
    }
}
