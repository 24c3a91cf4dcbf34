package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.KeyOrder;
import dev.posthorn.inbox.Positions;
import dev.posthorn.inboxes.redis.Claim;
import dev.posthorn.inboxes.redis.RedisInbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.postgres.DomainKey;
import dev.posthorn.postgres.PostgresConsumers;
import dev.posthorn.postgres.PostgresDeadLetters;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresPositions;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java of the page on consuming that is about other inboxes and other ways to have effects once, run. */
class InboxSnippetsTest {

    private final SnippetDatabase snippets = SnippetDatabase.migrated(16);
    private final DataSource database = snippets.dataSource();
    private final MemoryTransport bus = MemoryTransport.builder().build();
    private final PatientPublisher publisher = new PatientPublisher(bus.publisher());
    private final List<String> mails = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        publisher.close();
        bus.close();
        snippets.close();
    }

    private void mail(Event event) {
        mails.add(event.key().orElseThrow());
    }

    private static Event event(long sequence) {
        return Event.of("shop", "order.placed")
                .key("order-17")
                .sequence(sequence)
                .json("{}")
                .build();
    }

    @Test
    @Tag("slow")
    void aConsumerNeedsNoDatabase() throws Exception {
        try (EmbeddedRedis redis = Brokers.orSkip(EmbeddedRedis::start)) {
            String address = "redis://" + redis.host() + ":" + redis.port();
            // docs:start:redis-inbox
            RedisInbox<Claim> inbox =
                    RedisInbox.open(RedisInboxConfig.at(address).prefix("trade"));
            Handlers<Claim> handlers = Handlers.<Claim>none()
                    .on("order.placed", "main", EventHandler.of((event, claim) -> {
                        claim.check(); // nobody else has the event; the last thing to ask before a call
                        mail(event);
                    }));
            Consumer<Claim> consumer = Consumer.start(
                    bus, ConsumerConfig.of(Subscriber.named("mails").domains("shop")), handlers, inbox.equipment());
            // docs:end:redis-inbox
            Event event = event(1);
            publisher.publish(List.of(event, event));
            Await.until(
                    "the second is skipped", () -> consumer.report().totals().skipped() == 1);
            consumer.close();
            assertThat(mails).containsExactly("order-17");

            // docs:start:redis-once
            boolean now = inbox.once("receipts", event.id(), claim -> mail(event)); // then acknowledge
            // docs:end:redis-once
            assertThat(now).isTrue();
            inbox.close();
        }
    }

    @Test
    @Tag("slow")
    void withPostgresBesideItsDeadLettersAndReportsAreUsed() {
        try (EmbeddedRedis redis = Brokers.orSkip(EmbeddedRedis::start)) {
            RedisInboxConfig config = RedisInboxConfig.at("redis://" + redis.host() + ":" + redis.port());
            // docs:start:redis-beside-postgres
            RedisInbox<Connection> inbox =
                    RedisInbox.around(config, new PostgresInbox(database, Schema.DEFAULT)); // for its transactions
            Equipment<Connection> equipment = new Equipment<>(
                    inbox,
                    DeadLetterChain.of(new PostgresDeadLetters(database, Schema.DEFAULT), DeadLetterTarget.TRANSPORT),
                    new PostgresConsumers(database, Schema.DEFAULT));
            // docs:end:redis-beside-postgres
            Handlers<Connection> handlers = Handlers.<Connection>none()
                    .onAll("bill", EventHandler.of((event, connection) -> {
                        if (mails.isEmpty()) {
                            mails.add("first");
                            throw new DeadLetterException(new Cause.Rejected("no account"));
                        }
                        mail(event);
                    }));
            try (Consumer<Connection> consumer = Consumer.start(
                    bus, ConsumerConfig.of(Subscriber.named("billing").domains("shop")), handlers, equipment)) {
                publisher.publish(List.of(event(1)));
                Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
                snippets.rows(
                        "SELECT posthorn.redrive_letters(array_agg(id), false, 'mended') FROM posthorn.dead_letter");
                Await.until("it is handled", () -> consumer.report().totals().handled() == 1);
            }
            assertThat(mails).containsExactly("first", "order-17");
            assertThat(snippets.rows("SELECT state FROM posthorn.dead_letter")).containsExactly("HANDLED");
            inbox.close();
        }
    }

    @Test
    void aHandlerSeesAKeyInItsOrder() throws SQLException {
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> mail(event));
        // docs:start:positions
        KeyOrder order = PostgresPositions.keyOrder(
                Set.of(EmitOption.SERIALISED), // as the producer emits
                RoutePolicy.standard().withAfterDead(RoutePolicy.AfterDead.HOLD)); // as the route is run
        Positions<Connection> positions =
                new Positions<>(new PostgresPositions(Schema.DEFAULT), Positions.Policy.STRICT, order);
        Handlers<Connection> handlers = Handlers.<Connection>none()
                .on("order.placed", "bill", positions.inOrder(new HandlerId("billing", "bill"), handler));
        // docs:end:positions

        try (Consumer<Connection> consumer = Consumer.start(
                bus,
                ConsumerConfig.of(Subscriber.named("billing").domains("shop")),
                handlers,
                PostgresInbox.equipment(database, Schema.DEFAULT))) {
            publisher.publish(List.of(event(1), event(2), event(2)));
            Await.until(
                    "the third is a step back", () -> consumer.report().totals().dead() == 1);
        }
        assertThat(mails).hasSize(2);
        assertThat(snippets.rows("SELECT key, sequence FROM posthorn.position")).containsExactly("order-17|2");
    }

    @Test
    void anEffectHasAKeyOfTheDomain() throws SQLException {
        snippets.run("CREATE SCHEMA ledger");
        snippets.run("CREATE TABLE ledger.posting (transfer_id text, type text, amount numeric,"
                + " PRIMARY KEY (transfer_id, type))");
        for (int i = 0; i < 2; i++) {
            try (Connection connection = database.getConnection()) {
                // docs:start:domain-key
                DomainKey postings = DomainKey.of(new Schema("ledger"), "posting", "transfer_id", "type");
                boolean first = postings.insert(
                        connection, Map.of("transfer_id", "t-1", "type", "settled", "amount", new BigDecimal("9.50")));
                // docs:end:domain-key
                assertThat(first).isEqualTo(i == 0);
            }
        }
    }
}
