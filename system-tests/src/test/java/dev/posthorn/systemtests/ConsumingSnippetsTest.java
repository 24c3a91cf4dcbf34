package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.inbox.DispatchResult;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.MessageHandling;
import dev.posthorn.inbox.OutsideCall;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresCalls;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Java of the page on consuming, run. */
class ConsumingSnippetsTest {

    private final SnippetDatabase snippets = SnippetDatabase.migrated(16);
    private final DataSource database = snippets.dataSource();
    private final MemoryTransport bus = MemoryTransport.builder().build();
    private final PatientPublisher publisher = new PatientPublisher(bus.publisher());
    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);

    @BeforeEach
    void createTable() throws SQLException {
        snippets.run("CREATE TABLE invoice (order_id text)");
    }

    @AfterEach
    void close() {
        publisher.close();
        bus.close();
        snippets.close();
    }

    private static Event event() {
        return Event.of("shop", "order.placed").key("order-17").json("{}").build();
    }

    private static void bill(Event event, Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO invoice VALUES (?)")) {
            insert.setString(1, event.key().orElseThrow());
            insert.executeUpdate();
        }
    }

    @Test
    void aConsumerBillsOnceAndEmitsWhatFollows() throws SQLException {
        // docs:start:consumer
        Handlers<Connection> handlers = Handlers.<Connection>none()
                .on("order.placed", "bill", EventHandler.of((event, connection) -> {
                    bill(event, connection); // in the same transaction as the mark in the inbox
                    outbox.emit(
                            connection,
                            Event.of("billing", "invoice.written")
                                    .key(event.key().orElseThrow())
                                    .causationId(event.id().toString())
                                    .json("{}")
                                    .build());
                }));
        Consumer<Connection> consumer = Consumer.start(
                bus,
                ConsumerConfig.of(Subscriber.named("billing").domains("shop")),
                handlers,
                PostgresInbox.equipment(database, Schema.DEFAULT));
        // docs:end:consumer

        Event event = event();
        publisher.publish(List.of(event, event));
        Await.until("the second is skipped", () -> consumer.report().totals().skipped() == 1);
        consumer.close();

        assertThat(snippets.rows("SELECT order_id FROM invoice")).containsExactly("order-17");
        assertThat(snippets.rows("SELECT type, causation_id FROM posthorn.outbox"))
                .containsExactly("invoice.written|" + event.id());
    }

    private final Map<String, String> references = new ConcurrentHashMap<>();

    /** A remote system that recognises its keys. */
    private String submit(String idempotencyKey) {
        return references.computeIfAbsent(idempotencyKey, key -> "ref-" + (references.size() + 1));
    }

    @Test
    void aCallToTheOutsideIsAnsweredOnce() throws SQLException {
        snippets.run("CREATE TABLE submission (order_id text, reference text)");
        // docs:start:outside-call
        OutsideCall rail =
                new OutsideCall("usdc-rail", new PostgresCalls(database, Schema.DEFAULT), Duration.ofSeconds(30));
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            String reference = rail.once(event, key -> submit(key)); // the event's id is the idempotency key
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO submission VALUES (?, ?)")) {
                insert.setString(1, event.key().orElseThrow());
                insert.setString(2, reference);
                insert.executeUpdate();
            }
        });
        // docs:end:outside-call

        Event event = event();
        try (Consumer<Connection> consumer = Consumer.start(
                bus,
                ConsumerConfig.of(Subscriber.named("gateway").domains("shop")),
                Handlers.<Connection>none().onAll("submit", handler),
                PostgresInbox.equipment(database, Schema.DEFAULT))) {
            publisher.publish(List.of(event, event));
            Await.until(
                    "the second is skipped", () -> consumer.report().totals().skipped() == 1);
        }
        assertThat(snippets.rows("SELECT order_id, reference FROM submission")).containsExactly("order-17|ref-1");
        assertThat(references).containsOnlyKeys(event.id().toString());
    }

    @Test
    void handlersDecide() {
        // docs:start:verdicts
        EventHandler<Connection> handler = (event, connection) -> {
            if (event.payloadSize() == 0) {
                return Verdict.reject("there is nothing to bill"); // a dead letter at once
            }
            long version = event.sequence().orElse(1);
            if (version > 1) {
                throw new DeadLetterException(new Cause.SequenceMismatch(1, version)); // the same, with details
            }
            if (event.headers().containsKey("hold")) {
                return Verdict.retry(Duration.ofSeconds(5)); // again, no earlier
            }
            bill(event, connection); // whatever it throws is a retry by policy
            return Verdict.done();
        };
        ConsumerConfig config = ConsumerConfig.of(
                        Subscriber.named("billing").domains("shop").concurrency(8))
                .retries(RetryPolicy.fixed(5, Duration.ofSeconds(1)))
                .handlerTime(Duration.ofSeconds(20))
                .batch(100, Duration.ofMillis(20)); // many events in a transaction, one by one when one fails
        // docs:end:verdicts

        assertThat(config.batch().events()).isEqualTo(100);
        try (Consumer<Connection> consumer = Consumer.start(
                bus,
                config,
                Handlers.<Connection>none().onAll("bill", handler),
                PostgresInbox.equipment(database, Schema.DEFAULT))) {
            publisher.publish(List.of(
                    event(),
                    Event.of("shop", "order.placed")
                            .key("b")
                            .sequence(2)
                            .json("{}")
                            .build(),
                    Event.of("shop", "order.placed").key("c").build()));
            Await.until("two are dead", () -> consumer.report().totals().dead() == 2);
            Await.until("one is handled", () -> consumer.report().totals().handled() == 1);
        }
    }

    @Test
    void onceIsTheSmallestForm() throws Exception {
        PostgresInbox inbox = new PostgresInbox(database, Schema.DEFAULT);
        Event event = event();
        for (int i = 0; i < 2; i++) {
            // docs:start:once
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                boolean now = inbox.once(connection, "billing", event.id(), same -> bill(event, same));
                connection.commit(); // then acknowledge, whether it was done now or before
                // docs:end:once
                assertThat(now).isEqualTo(i == 0);
            }
        }
        assertThat(snippets.rows("SELECT count(*) FROM invoice")).containsExactly("1");
    }

    @Test
    void peopleWithTheirOwnLoopAskWhatToTellTheBroker() {
        Handlers<Connection> handlers =
                Handlers.<Connection>none().onAll("bill", EventHandler.of(ConsumingSnippetsTest::bill));
        ConsumerConfig config = ConsumerConfig.of(Subscriber.named("billing"));
        Event event = event();
        Message message = new Message(EventMessage.headersOf(event), event.payloadBytes());
        int attempt = 1;
        // docs:start:own-loop
        try (MessageHandling<Connection> handling =
                new MessageHandling<>(config, handlers, PostgresInbox.equipment(database, Schema.DEFAULT))) {
            DispatchResult result = handling.process(message, attempt); // SUCCESS, HANDLER_FAILED or DECODE_ERROR
            if (result.shouldAck()) {
                acknowledge(message);
            } else {
                giveBack(message);
            }
        }
        // docs:end:own-loop
        assertThat(acknowledged).isTrue();
    }

    private boolean acknowledged;

    private void acknowledge(Message message) {
        acknowledged = message.body().length > 0;
    }

    private void giveBack(Message message) {
        acknowledged = message.body().length == 0;
    }
}
