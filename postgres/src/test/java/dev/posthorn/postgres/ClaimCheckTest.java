package dev.posthorn.postgres;

import static dev.posthorn.postgres.ClaimScene.keyOf;
import static dev.posthorn.postgres.ConsumerHarness.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.claimcheck.ClaimCheck;
import dev.posthorn.claimcheck.ClaimCheckConfig;
import dev.posthorn.claimcheck.PayloadReference;
import dev.posthorn.claimcheck.PayloadRetrievalException;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.NoTransactionException;
import dev.posthorn.outbox.PayloadTooLargeException;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A large payload's way: out of the log at emit, and back right before the handler. */
class ClaimCheckTest {

    private final List<Event> seen = new CopyOnWriteArrayList<>();
    private ConsumerHarness harness;
    private ClaimScene scene;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
        scene = new ClaimScene(harness.postgres);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private Handlers<Connection> handlers() {
        return Handlers.<Connection>none()
                .on("order.placed", "bill", EventHandler.of((event, connection) -> {
                    seen.add(event);
                    ConsumerHarness.write("bill", event, connection);
                }))
                .around(scene.check::around);
    }

    private List<Event> logged() {
        return scene.logged();
    }

    private Event asLogged(Event event) throws SQLException {
        scene.emit(event);
        List<Event> all = logged();
        return all.get(all.size() - 1);
    }

    @Test
    void whatIsLargeIsInTheStoreAndTheLogHasAReference() throws SQLException {
        Event large = scene.large("a");
        Event small = scene.of("a", 100);

        scene.emit(large, small);

        Event reference = logged().get(0);
        assertThat(reference.contentType()).isEqualTo(PayloadReference.CONTENT_TYPE);
        assertThat(reference.payloadSize()).isLessThan(200);
        assertThat(reference.headers()).isEqualTo(large.headers());
        assertThat(logged().get(1)).isEqualTo(small);
        assertThat(scene.store.size()).isEqualTo(1);
        assertThat(scene.check.fetch(reference)).isEqualTo(large);
        assertThat(scene.rows("SELECT event_id, encode(sha256, 'hex'), length FROM posthorn.payload_reference"))
                .containsExactly(large.id() + "|" + keyOf(large) + "|" + ClaimScene.LARGE);
    }

    @Test
    void whatTheLogWouldNotTakeIsEmitted() throws SQLException {
        Event huge = scene.of("a", 20 * 1024 * 1024);

        assertThat(scene.check.fetch(asLogged(huge))).isEqualTo(huge);
    }

    @Test
    void itWorksWithAChangeAndWithEveryOption() throws SQLException {
        Event one = scene.large("a");
        Event two = scene.large("a");
        try (Connection connection = harness.postgres.transaction()) {
            scene.outbox.commit(connection, Change.of("INSERT INTO effect (handler) VALUES (?)", "x"), one);
            scene.outbox.emit(connection, List.of(two), EmitOption.SERIALISED, EmitOption.WITH_COMMIT);

            scene.outbox.emit(connection, List.of(one, two), EmitOption.IDEMPOTENT, EmitOption.WITH_COMMIT);
        }

        assertThat(logged()).extracting(scene.check::fetch).containsExactly(one, two);
    }

    @Test
    void whatIsOverTheLimitIsRefusedBeforeAnythingIsPut() throws SQLException {
        try (Connection connection = harness.postgres.transaction()) {
            assertThatThrownBy(
                            () -> scene.outbox.emit(connection, scene.large("a"), scene.of("a", 64 * 1024 * 1024 + 1)))
                    .isInstanceOf(PayloadTooLargeException.class);
        }
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void withoutATransactionNothingIsPut() throws SQLException {
        try (Connection connection = harness.postgres.dataSource().getConnection()) {
            assertThatThrownBy(() -> scene.outbox.emit(connection, scene.large("a")))
                    .isInstanceOf(NoTransactionException.class);
        }
        assertThat(scene.store.size()).isZero();
    }

    @Test
    void aStoreThatIsDownFailsTheEmitAndLeavesTheTransactionUsable() throws SQLException {
        scene.store.broken(true);
        try (Connection connection = harness.postgres.transaction()) {
            assertThatThrownBy(() -> scene.outbox.emit(connection, scene.large("a")))
                    .isInstanceOf(PayloadStoreException.class);
            scene.outbox.emit(connection, scene.of("a", 10));
            connection.commit();
        }
        assertThat(logged()).hasSize(1);
    }

    @Test
    void handlersSeeTheEventAsItWasEmitted() throws SQLException {
        Event large = scene.large("a");

        try (Consumer<Connection> consumer = harness.start(config(), handlers())) {
            harness.publish(asLogged(large));
            Await.until("it is handled", () -> consumer.report().totals().handled() == 1);
        }

        assertThat(seen).containsExactly(large);
    }

    @Test
    void severalHandlersFetchItOnceAndADuplicateNotAtAll() throws SQLException {
        Event logged = asLogged(scene.large("a"));
        Handlers<Connection> two = Handlers.<Connection>none()
                .onAll("bill", ConsumerHarness.effect("bill"))
                .onAll("mail", ConsumerHarness.effect("mail"))
                .around(scene.check::around);

        try (Consumer<Connection> consumer = harness.start(config(), two)) {
            harness.publish(logged, logged, logged);
            Await.until(
                    "the others are skipped", () -> consumer.report().totals().skipped() == 4);
        }

        assertThat(harness.effects()).hasSize(2);
        assertThat(scene.store.fetches()).isEqualTo(1);
    }

    @Test
    void aMissingPayloadIsADeadLetterAtOnceAndHandledOnceItIsRestored() throws SQLException {
        Event large = scene.large("a");
        Event logged = asLogged(large);
        scene.store.lose(keyOf(large));
        try (Consumer<Connection> consumer = harness.start(config(), handlers())) {
            harness.publish(logged);
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
            assertThat(harness.letters())
                    .containsExactly("DEAD bill payload-retrieval-failed 1 The payload of " + logged
                            + " is missing: the store in memory has no " + keyOf(large) + ".");
            scene.store.put(keyOf(large), large.payload());

            DeadFixture.whole(new PostgresDeadDesk(harness.pool, Schema.DEFAULT)
                    .decide(DeadFilter.all(), DeadDecision.redrive("restored"), 1));

            Await.until("it is handled", () -> !seen.isEmpty());
        }
        assertThat(seen).containsExactly(large);
    }

    @Test
    void aPayloadThatWasTamperedWithIsADeadLetterAtOnceAndNeverSeen() throws SQLException {
        Event shorter = scene.large("a");
        Event longer = scene.large("b");
        Event changed = scene.large("c");
        List<Event> logged = List.of(asLogged(shorter), asLogged(longer), asLogged(changed));
        scene.store.tamper(keyOf(shorter), new byte[10]);
        scene.store.tamper(keyOf(longer), new byte[ClaimScene.LARGE * 2]);
        byte[] flipped = changed.payloadBytes();
        flipped[1234] ^= 1;
        scene.store.tamper(keyOf(changed), flipped);

        try (Consumer<Connection> consumer = harness.start(config(), handlers())) {
            harness.publish(logged.toArray(Event[]::new));
            Await.until("all are dead", () -> consumer.report().totals().dead() == 3);
        }

        assertThat(seen).isEmpty();
        assertThat(harness.letters())
                .hasSize(3)
                .allSatisfy(letter -> assertThat(letter)
                        .startsWith("DEAD bill payload-retrieval-failed 1 ")
                        .contains("was tampered with"));
    }

    @Test
    void aStoreThatIsDownIsTriedAgainByPolicy() throws SQLException {
        Event large = scene.large("a");
        Event logged = asLogged(large);
        scene.store.broken(true);

        try (Consumer<Connection> consumer =
                harness.start(config().retries(RetryPolicy.fixed(1000, Duration.ofMillis(10))), handlers())) {
            harness.publish(logged);
            Await.until("it is retried", () -> consumer.report().totals().retried() > 1);
            scene.store.broken(false);
            Await.until("it is handled", () -> !seen.isEmpty());
        }

        assertThat(seen).containsExactly(large);
        assertThat(harness.letters()).isEmpty();
    }

    @Test
    void whatIsLargerThanThisConsumerAllowsIsNotFetched() throws SQLException {
        Event logged = asLogged(scene.large("a"));
        ClaimCheck modest = new ClaimCheck(scene.store, new ClaimCheckConfig(1024, ClaimScene.LARGE - 1, 0));

        assertThatThrownBy(() -> modest.fetch(logged))
                .isInstanceOf(PayloadRetrievalException.class)
                .hasMessageContaining("Raise maxPayloadBytes");
        assertThat(scene.store.fetches()).isZero();
    }

    @Test
    void aReferenceThatIsNoneIsADeadLetter() {
        Event forged = Event.of("orders", "order.placed")
                .payload(
                        "{\"url\":\"file:///etc/passwd\"}".getBytes(StandardCharsets.UTF_8),
                        PayloadReference.CONTENT_TYPE)
                .build();

        try (Consumer<Connection> consumer = harness.start(config(), handlers())) {
            harness.publish(forged);
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(harness.letters()).singleElement().asString().contains("malformed");
        assertThat(scene.store.fetches()).isZero();
    }

    @Test
    void anEventThatIsPassedOnAsAReferenceIsRegisteredToo() throws SQLException {
        Event large = scene.large("a");
        Event logged = asLogged(large);
        Event passedOn = Event.of("shipping", "order.forwarded")
                .payload(logged.payloadBytes(), logged.contentType())
                .build();

        scene.emit(passedOn);

        assertThat(scene.rows(
                        "SELECT count(DISTINCT event_id), count(DISTINCT sha256) FROM posthorn.payload_reference"))
                .containsExactly("2|1");
        assertThat(scene.check.fetch(logged().get(1)).payload()).isEqualTo(large.payload());
    }
}
