package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.DispatchResult;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.MessageHandling;
import dev.posthorn.inboxes.redis.Claim;
import dev.posthorn.inboxes.redis.RedisInbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.inboxes.redis.RedisInboxConfig.Timing;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import dev.posthorn.transports.memory.MemoryTransport;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import dev.posthorn.transports.rabbitmq.Routing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The failure cases that the documents Posthorn grew from list, and the mistakes that are in these documents themselves, one
 * test each. Several are shown at more length elsewhere; the tests say where.
 */
@Tag("exact")
class SeedMistakesTest {

    private static final String PLACED = "order.placed";

    private final List<Verdict> verdicts = Collections.synchronizedList(new ArrayList<>());
    private final Bus bus =
            new SettlingBus(MemoryTransport.builder().build(), (event, verdict) -> verdicts.add(verdict));
    private final PatientPublisher publisher = new PatientPublisher(bus.publisher());
    private SnippetDatabase database;

    @BeforeEach
    void open() throws SQLException {
        database = SnippetDatabase.migrated(16);
        database.run("CREATE TABLE effect (event uuid, n bigint GENERATED ALWAYS AS IDENTITY)");
    }

    @AfterEach
    void close() {
        publisher.close();
        bus.close();
        database.close();
    }

    /** Seed 001, case 1. With processes that are killed: {@link ProducerCrashTest}. */
    @Test
    void aCrashAfterTheBusinessWriteAndBeforeThePublishLosesNothing() throws SQLException {
        Event event = event("a");
        emit(List.of(event));
        RecordingTransport transport = RecordingTransport.accepting();

        try (Relay relay = relay("later", transport.publisher())) {
            Await.until(
                    () -> relay.status().toString(), () -> transport.events().equals(List.of(event)));
        }
    }

    /** Seed 001, case 2. With processes that are killed, on three brokers: {@link ConsumerOnBroker}. */
    @Test
    void aCrashAfterTheEffectAndBeforeTheAckHasNoSecondEffect() {
        Event event = event("a");

        try (Consumer<Connection> consumer = start(RetryPolicy.fixed(), EventHandler.of(SeedMistakesTest::write))) {
            publisher.publish(List.of(event, event)); // what a broker does that saw no ack
            Await.until("it is skipped", () -> consumer.report().totals().skipped() == 1);
        }

        assertThat(effects()).containsExactly(event.id().toString());
    }

    /** Seed 001, case 3. */
    @Test
    void aCommandThatIsSentTwiceStartsOneRun() throws Exception {
        PostgresInbox inbox = new PostgresInbox(database.dataSource(), Schema.DEFAULT);
        UUID command = UUID.randomUUID();
        List<Boolean> started = new ArrayList<>();

        for (int i = 0; i < 2; i++) {
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                started.add(inbox.once(connection, "orchestrator", command, work -> write(command, work)));
                connection.commit();
            }
        }

        assertThat(started).containsExactly(true, false);
        assertThat(effects()).hasSize(1);
    }

    /**
     * Seed 004: SET NX before the effect takes an event for done that a crash kept from being so. With processes that are
     * killed: {@link RedisInboxCrashTest}.
     */
    @Test
    @Tag("slow")
    void aCrashAfterTheMarkInRedisAndBeforeTheEffectLosesNothing() throws Exception {
        UUID event = UUID.randomUUID();
        AtomicInteger effects = new AtomicInteger();
        try (EmbeddedRedis redis = Brokers.orSkip(EmbeddedRedis::start)) {
            RedisInboxConfig config = RedisInboxConfig.at("redis://" + redis.host() + ":" + redis.port())
                    .timing(Timing.STANDARD.answer(Duration.ofMillis(900)).lease(Duration.ofSeconds(1)));
            RedisInbox<Claim> crashed = RedisInbox.open(config);
            crashed.begin().firstTimes(new HandlerId("mails", "main"), List.of(event));
            crashed.close();

            try (RedisInbox<Claim> next = RedisInbox.open(config)) {
                assertThat(next.once("mails", event, claim -> effects.incrementAndGet()))
                        .isTrue();
                assertThat(next.once("mails", event, claim -> effects.incrementAndGet()))
                        .isFalse();
            }
        }

        assertThat(effects).hasValue(1);
    }

    /** Seed 004: rows that are claimed in a transaction that commits at once are claimed by both relays. */
    @Test
    void twoRelaysDoNotPublishTheSameEvents() throws SQLException {
        List<Event> events =
                IntStream.range(0, 500).mapToObj(i -> event("key-" + i % 50)).toList();
        RecordingTransport transport = RecordingTransport.accepting();

        try (Relay one = relay("one", transport.publisher());
                Relay other = relay("other", transport.publisher())) {
            Await.until(
                    "both have lanes",
                    () -> !one.status().lanes().isEmpty()
                            && !other.status().lanes().isEmpty());
            emit(events);
            Await.until("all are published", () -> transport.events().size() >= events.size());
        }

        assertThat(transport.events()).containsExactlyInAnyOrderElementsOf(events);
    }

    /** Seed 000: its pauses were always the first of the ladder. */
    @Test
    void thePausesOfALadderGrow() {
        List<Duration> ladder = List.of(Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(40));

        try (Consumer<Connection> consumer = start(RetryPolicy.ladder(4, ladder), failing())) {
            publisher.publish(List.of(event("a")));
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(verdicts.stream()
                        .filter(Verdict.Retry.class::isInstance)
                        .map(verdict -> ((Verdict.Retry) verdict).after()))
                .isEqualTo(ladder);
    }

    /** Seed 002: what can not be decoded is acknowledged and gone. */
    @Test
    void whatCanNotBeDecodedIsKeptBeforeItIsAcknowledged() {
        try (MessageHandling<Connection> handling = new MessageHandling<>(
                config(RetryPolicy.fixed()),
                handlers(failing()),
                PostgresInbox.equipment(database.dataSource(), Schema.DEFAULT))) {
            DispatchResult result = handling.process(new Message(Map.of(), new byte[] {1, 0, 2}), 1);
            assertThat(result).isEqualTo(DispatchResult.DECODE_ERROR);
            assertThat(result.shouldAck()).isTrue();
        }

        assertThat(database.rows("SELECT encode(body, 'hex') FROM posthorn.dead_letter"))
                .containsExactly("010002");
    }

    /** Where seed 003 came from: an inbox that is committed before the handler takes a failed event for handled. */
    @Test
    void aHandlerThatFailedIsNotTakenForDone() {
        AtomicInteger calls = new AtomicInteger();
        Event event = event("a");
        EventHandler<Connection> handler = EventHandler.of((any, connection) -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
            }
            write(any, connection);
        });

        try (Consumer<Connection> consumer = start(RetryPolicy.fixed(3, Duration.ofMillis(10)), handler)) {
            publisher.publish(List.of(event));
            Await.until("it is handled", () -> consumer.report().totals().handled() == 1);
        }

        assertThat(effects()).containsExactly(event.id().toString());
    }

    /** Seed 000: who handles first and writes the inbox after has two effects of what comes to two at once. */
    @Test
    void whatComesToTwoAtOnceIsHandledByOne() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Event event = event("a");
        EventHandler<Connection> handler = EventHandler.of((any, connection) -> {
            begun.countDown();
            go.await();
            write(any, connection);
        });
        try (MessageHandling<Connection> handling = new MessageHandling<>(
                config(RetryPolicy.fixed()),
                handlers(handler),
                PostgresInbox.equipment(database.dataSource(), Schema.DEFAULT))) {
            CompletableFuture<DispatchResult> one = CompletableFuture.supplyAsync(() -> handling.process(event, 1));
            begun.await();
            CompletableFuture<DispatchResult> other = CompletableFuture.supplyAsync(() -> handling.process(event, 1));
            Await.until(
                    "the second waits for the first",
                    () -> !database.rows("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                    + " AND datname = current_database()")
                            .isEmpty());
            go.countDown();

            assertThat(one.get(20, TimeUnit.SECONDS)).isEqualTo(DispatchResult.SUCCESS);
            assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(DispatchResult.SUCCESS);
        }

        assertThat(effects()).hasSize(1);
    }

    /** Seeds 000 and 003: with a pause for each row, later events of its key pass it by. */
    @Test
    void nothingOfAKeyPassesAnEventThatIsTriedAgain() {
        AtomicInteger calls = new AtomicInteger();
        Event first = event("a");
        Event second = event("a");
        Event other = event("b");
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            if (event.equals(first) && calls.incrementAndGet() < 4) {
                throw new IllegalStateException("not yet");
            }
            write(event, connection);
        });

        try (Consumer<Connection> consumer = start(RetryPolicy.fixed(5, Duration.ofMillis(100)), handler)) {
            publisher.publish(List.of(first, second, other));
            Await.until("all are handled", () -> consumer.report().totals().handled() == 3);
        }

        assertThat(effects())
                .as("another key does not wait")
                .containsExactly(
                        other.id().toString(),
                        first.id().toString(),
                        second.id().toString());
    }

    /** Seed 003: what is given back to the queue is there again at once, and so on without a pause. */
    @Test
    void aFailureIsNoHotLoop() {
        Duration pause = Duration.ofMillis(100);
        List<Long> times = Collections.synchronizedList(new ArrayList<>());
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            times.add(System.nanoTime());
            throw new IllegalStateException("never");
        });

        try (Consumer<Connection> consumer = start(RetryPolicy.fixed(4, pause), handler)) {
            publisher.publish(List.of(event("a")));
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(times).hasSize(4);
        for (int i = 1; i < times.size(); i++) {
            assertThat(Duration.ofNanos(times.get(i) - times.get(i - 1))).isGreaterThanOrEqualTo(pause);
        }
    }

    /** Seed 003: in AMQP a star is a whole word, so its {@code stock_*.*} gets nothing. On a real broker: RoutingTest. */
    @Test
    void aPatternThatNeverMatchesIsRefused() {
        RabbitMqConfig seed = RabbitMqConfig.of(
                        Endpoint.of("127.0.0.1:1", new Endpoint.Login("nobody", "nothing")), "shop")
                .routing(Routing.STANDARD.bind("inventory.reconcile", "stock_*.*"));

        assertThatThrownBy(() -> new RabbitMqTransport(seed)).hasMessageContaining("a * stands for one whole word");
    }

    private static Event event(String key) {
        return Event.of("orders", PLACED).key(key).json("{}").build();
    }

    private static ConsumerConfig config(RetryPolicy retries) {
        return ConsumerConfig.of(Subscriber.named("billing").domains("orders")).retries(retries);
    }

    private static Handlers<Connection> handlers(EventHandler<Connection> handler) {
        return Handlers.<Connection>none().on(PLACED, "bill", handler);
    }

    private Consumer<Connection> start(RetryPolicy retries, EventHandler<Connection> handler) {
        return Consumer.start(
                bus,
                config(retries),
                handlers(handler),
                PostgresInbox.equipment(database.dataSource(), Schema.DEFAULT));
    }

    private static EventHandler<Connection> failing() {
        return EventHandler.of((event, connection) -> {
            throw new IllegalStateException("never");
        });
    }

    private static void write(Event event, Connection connection) throws SQLException {
        write(event.id(), connection);
    }

    private static void write(UUID id, Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (event) VALUES (?)")) {
            insert.setObject(1, id);
            insert.executeUpdate();
        }
    }

    private List<String> effects() {
        return database.rows("SELECT event FROM effect ORDER BY n");
    }

    private void emit(List<Event> events) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            new PostgresOutbox(PostgresOutboxConfig.DEFAULT).emit(connection, events);
            connection.commit();
        }
    }

    private Relay relay(String name, Publisher to) {
        return Relay.start(
                PostgresRelayStores.open(
                        database.dataSource(),
                        Schema.DEFAULT,
                        Route.named("main").fromBeginning(),
                        name),
                to,
                RelayConfig.standard().withLeaseTtl(Duration.ofSeconds(2)),
                RoutePolicy.standard());
    }
}
