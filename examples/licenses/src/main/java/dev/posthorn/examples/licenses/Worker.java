package dev.posthorn.examples.licenses;

import dev.posthorn.codecs.Envelope;
import dev.posthorn.codecs.Envelopes;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.ConsumerReport;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inboxes.redis.RedisInbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * A member of the compliance consumer: its effects are in Postgres, its marks in Redis.
 *
 * <p>claim in Redis → notice in a transaction → claim still held? → commit → mark in Redis → acknowledge. A failure removes the
 * claim, and the event comes again.
 */
public final class Worker implements AutoCloseable {

    /** The consumer's name, as it stands in the keys of Redis, whatever its subscription is called. */
    public static final String CONSUMER = "compliance";

    /** What somebody else has published, with the design's five attributes and nothing else, is an event, too. */
    private static final Envelope ATTRIBUTES = Envelopes.named("attributes", Licenses.DOMAIN);

    private static final int CONCURRENCY = 8;

    private final RedisInbox<Connection> inbox;
    private final Consumer<Connection> consumer;

    private Worker(RedisInbox<Connection> inbox, Consumer<Connection> consumer) {
        this.inbox = inbox;
        this.consumer = consumer;
    }

    // docs:start:licenses-worker
    /** Starts one. It uses up to eight connections at once. */
    public static Worker start(
            Bus bus,
            Variables variables,
            DataSource database,
            RedisInboxConfig marks,
            EventHandler<Connection> handler) {
        RedisInbox<Connection> inbox = RedisInbox.around(marks, new PostgresInbox(database, Schema.DEFAULT));
        Subscriber subscriber = Subscriber.named(CONSUMER)
                .domains(Licenses.DOMAIN)
                .types(LicenseStatusChanged.TYPE)
                .concurrency(CONCURRENCY);
        Consumer<Connection> consumer = Consumer.start(
                new NamedSubscription(Envelopes.around(bus, ATTRIBUTES), variables.subscription()),
                ConsumerConfig.of(subscriber),
                Handlers.<Connection>none().on(LicenseStatusChanged.TYPE, "main", handler),
                inbox.equipment());
        return new Worker(inbox, consumer);
    }
    // docs:end:licenses-worker

    public ConsumerReport report() {
        return consumer.report();
    }

    @Override
    public void close() {
        consumer.close();
        inbox.close();
    }
}
