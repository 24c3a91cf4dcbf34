package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.effect;
import static dev.posthorn.postgres.ConsumerHarness.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.TerminatingDataSource.Moment;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.DeadLetter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Consumers whose database goes away, whose dead letters find no place, and that end in the middle. */
@Tag("exact")
class ConsumerTroubleTest {

    /** A single attempt: whatever is charged makes a dead letter. */
    private static final RetryPolicy ONCE = RetryPolicy.fixed(1, Duration.ofMillis(10));

    private static final DeadLetterTarget DOWN = letter -> {
        throw new IllegalStateException("the dead letters are out of reach");
    };

    private ConsumerHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new ConsumerHarness();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private static Handlers<Connection> one(EventHandler<Connection> handler) {
        return Handlers.<Connection>none().on("order.placed", "bill", handler);
    }

    private Consumer<Connection> start(ConsumerConfig config, EventHandler<Connection> handler, DataSource database) {
        Equipment<Connection> equipment = new Equipment<>(
                new PostgresInbox(database, Schema.DEFAULT),
                DeadLetterChain.of(new PostgresDeadLetters(harness.pool, Schema.DEFAULT)),
                new PostgresConsumers(harness.pool, Schema.DEFAULT));
        return Consumer.start(harness.bus, config, one(handler), equipment);
    }

    private Consumer<Connection> start(EventHandler<Connection> handler, DeadLetterChain chain) {
        Equipment<Connection> equipment = new Equipment<>(
                new PostgresInbox(harness.pool, Schema.DEFAULT),
                chain,
                new PostgresConsumers(harness.pool, Schema.DEFAULT));
        return Consumer.start(harness.bus, config().retries(ONCE), one(handler), equipment);
    }

    private static void awaitHandled(Consumer<Connection> consumer, int handled) {
        Await.until(
                () -> consumer.report().toString(),
                () -> consumer.report().totals().handled() >= handled);
    }

    @Test
    void aSessionThatEndsUnderAHandlerChargesNoAttempt() {
        AtomicInteger calls = new AtomicInteger();
        Event event = event("a");
        EventHandler<Connection> handler = EventHandler.of((any, connection) -> {
            ConsumerHarness.write("bill", any, connection);
            if (calls.incrementAndGet() == 1) {
                TestPostgres.run(connection, "SELECT pg_terminate_backend(pg_backend_pid())");
            }
        });

        try (Consumer<Connection> consumer = start(config().retries(ONCE), handler, harness.pool)) {
            harness.publish(event);
            awaitHandled(consumer, 1);
            assertThat(consumer.report().totals().retried()).isZero();
        }

        assertThat(calls).hasValue(2);
        assertThat(harness.effects()).containsExactly("bill " + event.id());
        assertThat(harness.letters()).isEmpty();
    }

    @Test
    void whereverTheSessionEndsAnEventHasOneEffectAndNoAttemptIsCharged() {
        TerminatingDataSource terminating = new TerminatingDataSource(harness.postgres);
        int events = 0;
        try (HikariDataSource pool = TestPostgres.pool(terminating);
                Consumer<Connection> consumer = start(config().retries(ONCE), effect("bill"), pool)) {
            for (String step : List.of("first_time", TerminatingDataSource.COMMIT)) {
                for (Moment moment : Moment.values()) {
                    terminating.terminateAt(step, moment);
                    harness.publish(event("a"));
                    int expected = ++events;
                    Await.until(
                            () -> step + " " + moment + ": " + consumer.report(),
                            () -> terminating.hasTerminated()
                                    && harness.effects().size() == expected
                                    && consumer.report().totals().handled()
                                                    + consumer.report().totals().skipped()
                                            >= expected);
                }
            }
            assertThat(consumer.report().totals().retried()).isZero();
        }

        assertThat(harness.effects()).hasSize(events).doesNotHaveDuplicates();
        assertThat(harness.letters()).isEmpty();
    }

    @Test
    void aServerThatIsAwayIsWaitedForAndSeen() {
        InterceptedDataSource database = new InterceptedDataSource(harness.postgres);
        database.beforeConnecting = () -> {
            throw new SQLException("the server is away", "08001");
        };
        Event first = event("a");
        Event second = event("a");

        try (Consumer<Connection> consumer = start(config().retries(ONCE), effect("bill"), database)) {
            harness.publish(first, second);
            Await.until(
                    "it says why nothing is handled",
                    () -> consumer.report().trouble().orElse("").contains("the server is away"));
            database.beforeConnecting = () -> {};
            awaitHandled(consumer, 2);
            assertThat(consumer.report().trouble()).isEmpty();
        }

        assertThat(harness.effects()).containsExactly("bill " + first.id(), "bill " + second.id());
        assertThat(harness.letters()).isEmpty();
    }

    @Test
    void whatAHandlerEmitsIsCommittedWithItsEffectsOrNotAtAll() {
        PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        AtomicInteger calls = new AtomicInteger();
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            int call = calls.incrementAndGet();
            outbox.emit(
                    connection,
                    Event.of("billing", "bill.sent." + call)
                            .key("a")
                            .causationId(event.id().toString())
                            .build());
            ConsumerHarness.write("bill", event, connection);
            if (call < 3) {
                throw new IllegalStateException("not yet");
            }
        });
        Event event = event("a");

        try (Consumer<Connection> consumer = harness.start(config(), one(handler))) {
            harness.publish(event, event);
            Await.until(
                    "the second is skipped", () -> consumer.report().totals().skipped() == 1);
        }

        assertThat(calls).hasValue(3);
        assertThat(harness.effects()).hasSize(1);
        assertThat(harness.rows("SELECT type, causation_id FROM posthorn.outbox"))
                .containsExactly("bill.sent.3|" + event.id());
    }

    @Test
    void whenOneTargetIsDownTheNextHasTheDeadLetter() {
        EventHandler<Connection> failing = EventHandler.of((event, connection) -> {
            throw new IllegalStateException("poison");
        });
        Event poison = event("a");

        DeadLetterTarget inPostgres = new PostgresDeadLetters(harness.pool, Schema.DEFAULT);
        try (Consumer<Connection> consumer = start(failing, DeadLetterChain.of(DOWN, inPostgres))) {
            harness.publish(poison);
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }
        Event other = event("a");
        try (Consumer<Connection> consumer = start(failing, DeadLetterChain.of(DOWN, DeadLetterTarget.TRANSPORT))) {
            harness.publish(other);
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(harness.rows("SELECT event_id FROM posthorn.dead_letter"))
                .containsExactly(poison.id().toString());
        assertThat(harness.bus.deadLetters()).extracting(DeadLetter::event).containsExactly(other);
        assertThat(harness.bus.deadLetters().get(0).reason()).contains("poison");
    }

    @Test
    @Tag("slow")
    void aDeadLetterThatNobodyTakesComesAgainUntilSomebodyDoes() {
        AtomicInteger asked = new AtomicInteger();
        DeadLetterTarget inPostgres = new PostgresDeadLetters(harness.pool, Schema.DEFAULT);
        DeadLetterTarget downAtFirst = letter -> {
            if (asked.incrementAndGet() == 1) {
                DOWN.keep(letter);
            }
            inPostgres.keep(letter);
        };
        Event poison = event("a");
        Event next = event("a");
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            if (event.equals(poison)) {
                throw new IllegalStateException("poison");
            }
            ConsumerHarness.write("bill", event, connection);
        });

        try (Consumer<Connection> consumer = start(handler, DeadLetterChain.of(downAtFirst))) {
            harness.publish(poison, next);
            awaitHandled(consumer, 1);
        }

        assertThat(asked).hasValue(2);
        assertThat(harness.letters()).hasSize(1);
        assertThat(harness.effects()).containsExactly("bill " + next.id());
    }

    @Test
    void whoEndsLetsTheHandlerFinish() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        EventHandler<Connection> slow = EventHandler.of((event, connection) -> {
            begun.countDown();
            go.await();
            ConsumerHarness.write("bill", event, connection);
        });
        Consumer<Connection> consumer = harness.start(config(), one(slow));
        harness.publish(event("a"));
        begun.await();

        Thread closing = new Thread(consumer::close);
        closing.start();
        Await.until("it waits for the handler", () -> closing.getState() == Thread.State.TIMED_WAITING);
        go.countDown();
        closing.join(TimeUnit.SECONDS.toMillis(20));

        assertThat(closing.isAlive()).isFalse();
        assertThat(harness.effects()).hasSize(1);
    }

    @Test
    void whatIsInterruptedAtTheEndComesToAnotherMemberAndIsNotCharged() throws InterruptedException {
        interruptedAtTheEnd(config().retries(ONCE), begun -> {
            begun.countDown();
            TimeUnit.MINUTES.sleep(5);
        });
    }

    @Test
    void aHandlerThatWrapsTheInterruptionIsNotChargedEither() throws InterruptedException {
        interruptedAtTheEnd(config().retries(ONCE), begun -> {
            begun.countDown();
            try {
                TimeUnit.MINUTES.sleep(5);
            } catch (InterruptedException end) {
                throw new IllegalStateException("could not go on", end);
            }
        });
    }

    @Test
    void aBatchThatIsInterruptedAtTheEndIsNotChargedEither() throws InterruptedException {
        interruptedAtTheEnd(config().retries(ONCE).batch(10, Duration.ofMillis(100)), begun -> {
            begun.countDown();
            try {
                TimeUnit.MINUTES.sleep(5);
            } catch (InterruptedException end) {
                throw new IllegalStateException("could not go on", end);
            }
        });
    }

    private interface Hanging {
        void hang(CountDownLatch begun) throws InterruptedException;
    }

    private void interruptedAtTheEnd(ConsumerConfig config, Hanging hanging) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        ConsumerConfig shortly = new ConsumerConfig(
                Subscriber.named(ConsumerHarness.NAME).domains("orders").drainTime(Duration.ofMillis(200)),
                config.kind(),
                config.retries(),
                config.giveUp(),
                config.handlerTime(),
                config.batch(),
                config.reportEvery(),
                config.unhandled());
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            ConsumerHarness.write("undone", event, connection);
            hanging.hang(begun);
        });
        Event first = event("a");
        Event second = event("b");
        Consumer<Connection> ending = harness.start(shortly, one(handler));
        harness.publish(first, second);
        begun.await();

        try (Consumer<Connection> other = harness.start(shortly, one(effect("bill")))) {
            ending.close();
            awaitHandled(other, 2);
        }

        assertThat(harness.effects()).containsExactlyInAnyOrder("bill " + first.id(), "bill " + second.id());
        assertThat(harness.letters()).isEmpty();
        assertThat(ending.report().totals().dead()).isZero();
    }

    @Test
    void anInterruptionOfItsOwnMakingIsAFailureLikeAnyOther() {
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            throw new InterruptedException("a pool of the handler's own was shut down");
        });

        try (Consumer<Connection> consumer = harness.start(config().retries(ONCE), one(handler))) {
            harness.publish(event("a"));
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
        }
    }

    @Test
    void aRedriveSkipsWhatWasHandledMeanwhileAndReprocessingDoesNot() throws SQLException {
        AtomicInteger broken = new AtomicInteger(1);
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            if (broken.get() == 1) {
                throw new IllegalStateException("closed");
            }
            ConsumerHarness.write("bill", event, connection);
        });
        try (Consumer<Connection> consumer = harness.start(config().retries(ONCE), one(handler))) {
            harness.publish(event("a"));
            Await.until("it is dead", () -> consumer.report().totals().dead() == 1);
            broken.set(0);
            harness.postgres.run("UPDATE posthorn.inbox SET dead = false"); // as if it had been handled on another way

            redrive(false, "again");
            assertThat(harness.effects()).as("the inbox knows it").isEmpty();
            harness.postgres.run("UPDATE posthorn.dead_letter SET state = 'DEAD'");
            assertThatThrownBy(() -> redrive(true, "")).hasMessageContaining("to reprocess needs a reason");
            redrive(true, "the ledger was lost");
        }

        assertThat(harness.effects()).hasSize(1);
        assertThat(harness.rows("SELECT dead FROM posthorn.inbox")).containsExactly("f");
        assertThat(harness.rows("SELECT action, reason FROM posthorn.operator_action ORDER BY id"))
                .containsExactly("redrive|again", "reprocess|the ledger was lost");
    }

    private void redrive(boolean reprocess, String reason) throws SQLException {
        harness.postgres.run("SELECT posthorn.redrive_letters(array_agg(id), " + reprocess + ", '" + reason + "') FROM"
                + " posthorn.dead_letter");
        Await.until(
                "it is done with",
                () -> harness.rows("SELECT state FROM posthorn.dead_letter").equals(List.of("HANDLED")));
    }
}
