package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresConsumers;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.systemtests.ConsumedBroker.Letter;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Consumers on a real broker: killed between effect and acknowledgement, giving up, and running commands. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("exact")
abstract class ConsumerOnBroker implements RunsCommands {

    private static final int EACH_TIME = 10;
    private static final int KEYS = 4;

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private EmbeddedPostgres postgres;
    private ConsumedBroker broker;
    private String url;
    private Path errors;

    /** Starts the broker; skips or fails where it is not installed. */
    abstract ConsumedBroker startBroker();

    @BeforeAll
    void start() throws IOException {
        broker = startBroker();
        postgres = Shop.builder().start();
        url = postgres.createDatabase("shop");
        database.setUrl(url);
        new Migrations(Schema.DEFAULT).migrate(database);
        run("CREATE TABLE effect (event uuid NOT NULL)"); // without a key, so that a second one could be seen
        Path parent = Files.createDirectories(
                Modules.root().resolve("system-tests").resolve("target").resolve("system-tests"));
        errors = Files.createTempFile(parent, "consumer-", ".log");
    }

    @AfterAll
    void end() {
        if (postgres != null) {
            postgres.close();
        }
        if (broker != null) {
            broker.close();
        }
    }

    @Override
    public Bus openBus() {
        return broker.open();
    }

    @Override
    public DataSource database() {
        return database;
    }

    @Test
    @Timeout(value = 9, unit = TimeUnit.MINUTES)
    void aConsumerThatIsKilledAfterItsEffectAndBeforeTheAckHasOneEffectForEachEvent() {
        Random random = Seed.random("consumer " + broker.address());
        int kills = Size.of(2, 3, 20);
        Set<String> published = new TreeSet<>();
        Set<String> held = new TreeSet<>();
        Set<String> again = new TreeSet<>();
        try (Bus bus = broker.open();
                PatientPublisher publisher = new PatientPublisher(bus.publisher())) {
            for (int i = 0; i < kills; i++) {
                try (JavaProcess consumer = launch(random.nextInt(4))) {
                    published.addAll(publish(publisher));
                    String victim = awaitHeld(consumer, again);
                    assertThat(rows("SELECT event FROM effect WHERE event = '" + victim + "'"))
                            .as("its effect is there")
                            .hasSize(1);

                    consumer.kill();

                    held.add(victim);
                    consumer.readRest().forEach(line -> note(line, "again", again));
                }
            }
            try (JavaProcess consumer = launch(Integer.MAX_VALUE)) {
                while (!again.containsAll(held) || effects().size() < published.size()) {
                    note(consumer.readLine(), "again", again);
                }
                consumer.kill();
            }
        }

        assertThat(held).as("each was killed with an event of its own").hasSize(kills);
        assertThat(effects()).containsExactlyInAnyOrderElementsOf(published);
        assertThat(rows("SELECT event_id FROM posthorn.inbox WHERE consumer = 'ledger'"))
                .containsExactlyInAnyOrderElementsOf(published);
        assertThat(rows("SELECT reason FROM posthorn.dead_letter WHERE consumer = 'ledger'"))
                .isEmpty();
        System.out.printf(
                "kill -9 of %d consumers on %s after the effect and before the ack: %d events, %d effects, %d came again%n",
                kills, broker.address(), published.size(), effects().size(), again.size());
    }

    /** Every one of these has its effects committed, and is not acknowledged. */
    private static String awaitHeld(JavaProcess consumer, Set<String> again) {
        while (true) {
            String line = consumer.readLine();
            note(line, "again", again);
            if (line.startsWith("held ")) {
                return line.substring("held ".length());
            }
            assertThat(line).doesNotStartWith("failed ");
        }
    }

    private static void note(String line, String word, Set<String> ids) {
        if (line.startsWith(word + " ")) {
            ids.add(line.substring(word.length() + 1));
        }
    }

    private JavaProcess launch(int acknowledged) {
        return JavaProcess.start(
                errors,
                CrashingConsumer.class.getName(),
                List.of(broker.address(), url, Integer.toString(acknowledged)));
    }

    private static List<String> publish(PatientPublisher publisher) {
        List<Event> events = IntStream.range(0, EACH_TIME)
                .mapToObj(i -> Event.of(CrashingConsumer.DOMAIN, "order.placed")
                        .key("key-" + i % KEYS)
                        .json("{\"n\":" + i + "}")
                        .build())
                .toList();
        publisher.publish(events);
        Await.until("all are accepted", () -> publisher.left() == 0);
        return events.stream().map(event -> event.id().toString()).toList();
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void whatAConsumerGivesUpIsReadBackWithTheBrokersOwnClient() {
        byte[] bytes = new byte[2_000];
        new Random(1).nextBytes(bytes);
        Event poison = Event.of("returns", "order.returned")
                .key("a")
                .payload(bytes, "application/octet-stream")
                .build();
        Event fine = Event.of("returns", "order.returned").key("a").json("{}").build();
        List<Event> handled = new ArrayList<>();
        ConsumerConfig config = ConsumerConfig.of(Subscriber.named("refunds").domains("returns"))
                .retries(RetryPolicy.fixed(2, Duration.ofMillis(10)));
        Handlers<Connection> handlers = Handlers.<Connection>none()
                .on("order.returned", "refund", EventHandler.of((event, connection) -> {
                    if (event.equals(poison)) {
                        throw new IllegalStateException("no account 4711");
                    }
                    handled.add(event);
                }));
        Equipment<Connection> equipment = new Equipment<>(
                new PostgresInbox(database, Schema.DEFAULT),
                DeadLetterChain.transport(),
                new PostgresConsumers(database, Schema.DEFAULT));

        try (Bus bus = broker.open();
                Consumer<Connection> consumer = Consumer.start(bus, config, handlers, equipment);
                PatientPublisher publisher = new PatientPublisher(bus.publisher())) {
            publisher.publish(List.of(poison, fine));
            Await.within(
                    Duration.ofMinutes(1),
                    () -> "the next one of the key is handled: " + consumer.report(),
                    () -> consumer.report().totals().handled() == 1);
            Await.untilCounted(1, () -> consumer.report().totals().dead());
            Await.untilCounted(1, () -> consumer.report().totals().retried());
        }

        assertThat(handled).containsExactly(fine);
        assertThat(broker.deadLetters("refunds", "returns")).singleElement().satisfies(letter -> {
            assertThat(letter).isEqualTo(Letter.of(poison, letter.reason()));
            assertThat(letter.reason()).contains("no account 4711");
        });
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void whatIsNoEventIsKeptByteForByteAndThenAcknowledged() {
        byte[] bytes = {0, (byte) 0xC3, '{', (byte) 0xFF, '\n'};
        ConsumerConfig config = ConsumerConfig.of(Subscriber.named("audit").domains("odd"));
        Handlers<Connection> handlers =
                Handlers.<Connection>none().onAll("look", EventHandler.of((event, connection) -> {}));
        Equipment<Connection> equipment = PostgresInbox.equipment(database, Schema.DEFAULT);
        String letters = "SELECT encode(body, 'hex') FROM posthorn.dead_letter WHERE consumer = 'audit'";

        try (Bus bus = broker.open();
                PatientPublisher publisher = new PatientPublisher(bus.publisher())) {
            try (Consumer<Connection> consumer = Consumer.start(bus, config, handlers, equipment)) {
                publishAndAwait(publisher, consumer);
                broker.inject("odd", bytes);
                Await.until(
                        () -> consumer.report().toString(),
                        () -> consumer.report().totals().dead() == 1);
                assertThat(rows(letters)).containsExactly(HexFormat.of().formatHex(bytes));
            }
            run("DELETE FROM posthorn.dead_letter WHERE consumer = 'audit'");
            try (Consumer<Connection> later = Consumer.start(bus, config, handlers, equipment)) {
                publishAndAwait(publisher, later);
            }
        }

        assertThat(rows(letters)).as("it does not come again").isEmpty();
        assertThat(broker.deadLetters("audit", "odd"))
                .as("it is kept in one place")
                .isEmpty();
    }

    /** The heap is exhausted for every thread of the process, not only for the one to blame. */
    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aHandlerThatExhaustsTheHeapPaysAndAllOthersAreHandled() {
        run("CREATE TABLE used (consumer text NOT NULL, event uuid NOT NULL)");
        try (Bus bus = broker.open();
                PatientPublisher publisher = new PatientPublisher(bus.publisher());
                JavaProcess consumers = JavaProcess.start(
                        errors,
                        "-Xmx48m",
                        ExhaustingConsumers.class.getName(),
                        List.of(broker.address(), url),
                        Map.of())) {
            assertThat(consumers.readLine()).isEqualTo("consuming");
            List<Event> events = IntStream.range(0, 60)
                    .mapToObj(i -> Event.of(
                                    ExhaustingConsumers.DOMAIN, i % 20 == 10 ? ExhaustingConsumers.EXHAUST : "fine")
                            .key("key-" + i % 15)
                            .json("{}")
                            .build())
                    .toList();
            publisher.publish(events);
            awaitUsed(consumers, 57);
            publisher.publish(List.of(Event.of(ExhaustingConsumers.DOMAIN, "fine")
                    .key("control")
                    .json("{}")
                    .build()));
            awaitUsed(consumers, 58);
        }
        assertThat(rows("SELECT DISTINCT (consumer, event) FROM used")).hasSize(2 * 58);
        assertThat(rows("SELECT event FROM used")).hasSize(2 * 58);
        assertThat(
                        rows(
                                "SELECT (consumer, type, attempts >= " + ExhaustingConsumers.ATTEMPTS
                                        + ", reason LIKE '%OutOfMemoryError%')::text FROM posthorn.dead_letter WHERE consumer LIKE 'heap-%'"))
                .containsOnly("(heap-single,exhaust,t,t)", "(heap-batch,exhaust,t,t)")
                .hasSize(6);
    }

    private void awaitUsed(JavaProcess consumers, int each) {
        Await.within(
                Duration.ofMinutes(1),
                () -> each + " effects of each: " + rows("SELECT consumer || count(*) FROM used GROUP BY consumer")
                        + ", " + rows("SELECT consumer || ' ' || type || ' ' || reason FROM posthorn.dead_letter")
                        + consumers.log(),
                () -> rows("SELECT event FROM used").size() >= 2 * each
                        && rows("SELECT event_id FROM posthorn.dead_letter WHERE consumer LIKE 'heap-%'")
                                        .size()
                                >= 6);
    }

    private static void publishAndAwait(PatientPublisher publisher, Consumer<Connection> consumer) {
        publisher.publish(List.of(Event.of("odd", "seen").key("a").json("{}").build()));
        Await.within(
                Duration.ofMinutes(1),
                () -> consumer.report().toString(),
                () -> consumer.report().totals().handled() == 1);
    }

    private List<String> effects() {
        return rows("SELECT event FROM effect");
    }

    @Override
    public List<String> rows(String sql) {
        return Shop.rows(url, sql);
    }

    private void run(String sql) {
        Shop.run(url, sql);
    }
}
