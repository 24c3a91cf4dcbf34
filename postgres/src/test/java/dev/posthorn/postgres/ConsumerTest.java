package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static dev.posthorn.postgres.ConsumerHarness.effect;
import static dev.posthorn.postgres.ConsumerHarness.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig.GiveUp;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A consumer's way with an event, from the delivery to the verdict. */
@Tag("exact")
class ConsumerTest {

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

    @Test
    void effectsHappenOnceHoweverOftenAnEventComes() {
        Event event = event("a");

        try (Consumer<Connection> consumer = harness.start(config(), one(effect("bill")))) {
            harness.publish(event, event, event);
            Await.until(
                    () -> consumer.report().toString(),
                    () -> consumer.report().totals().skipped() == 2);
        }

        assertThat(harness.effects()).containsExactly("bill " + event.id());
    }

    @Test
    void anEventThatNoHandlerWantsIsDone() {
        Event other = Event.of("orders", "order.shipped").key("a").json("{}").build();
        Event wanted = event("a");

        try (Consumer<Connection> consumer = harness.start(config(), one(effect("bill")))) {
            harness.publish(other, wanted);
            Await.until(
                    "the wanted one is handled",
                    () -> consumer.report().totals().handled() == 1);
        }

        assertThat(harness.effects()).containsExactly("bill " + wanted.id());
    }

    @Test
    void whatAHandlerDidBeforeItFailedIsUndoneAndItIsTriedAgain() {
        AtomicInteger calls = new AtomicInteger();
        EventHandler<Connection> failing = EventHandler.of((event, connection) -> {
            ConsumerHarness.write("bill", event, connection);
            if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
        });

        try (Consumer<Connection> consumer = harness.start(config(), one(failing))) {
            harness.publish(event("a"));
            Await.until("it is handled", () -> consumer.report().totals().handled() == 1);
        }

        assertThat(calls).hasValue(3);
        assertThat(harness.effects()).hasSize(1);
        assertThat(harness.letters()).isEmpty();
    }

    @Test
    void theLastAttemptMakesADeadLetterAndTheKeyGoesOn() {
        Event poison = event("a");
        Event next = event("a");
        AtomicInteger calls = new AtomicInteger();
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            if (event.equals(poison)) {
                calls.incrementAndGet();
                throw new IllegalStateException("no account 4711");
            }
            ConsumerHarness.write("bill", event, connection);
        });

        try (Consumer<Connection> consumer = harness.start(config(), one(handler))) {
            harness.publish(poison, next);
            Await.until(
                    "the next one is handled", () -> consumer.report().totals().handled() == 1);
            harness.publish(poison); // a late duplicate of the dead one
            Await.until("it is skipped", () -> consumer.report().totals().skipped() == 1);
        }

        assertThat(calls).as("three attempts are three calls").hasValue(3);
        assertThat(harness.effects()).containsExactly("bill " + next.id());
        assertThat(harness.letters())
                .singleElement()
                .asString()
                .startsWith("DEAD bill processing-failed 3 ")
                .contains("no account 4711");
        assertThat(harness.rows("SELECT details ->> 'attempts', details ->> 'transient', kind, domain, type, key,"
                        + " fingerprint FROM posthorn.dead_letter"))
                .singleElement()
                .asString()
                .startsWith("3|false|consumer|orders|order.placed|a|")
                .contains("no account #");
    }

    @Test
    void aRejectionAndATypedCauseAreDeadAtOnce() {
        Event rejected = event("a");
        EventHandler<Connection> handler = (event, connection) -> {
            if (event.equals(rejected)) {
                return Verdict.reject("the licence is revoked");
            }
            throw new DeadLetterException(new Cause.SequenceMismatch(5, 7));
        };

        try (Consumer<Connection> consumer = harness.start(config(), one(handler))) {
            harness.publish(rejected, event("b"));
            Await.until("both are dead", () -> consumer.report().totals().dead() == 2);
        }

        assertThat(harness.letters())
                .containsExactlyInAnyOrder(
                        "DEAD bill rejected 1 the licence is revoked",
                        "DEAD bill sequence-mismatch 1 sequence 5 was expected, and it has 7");
        assertThat(harness.rows("SELECT details ->> 'expected', details ->> 'actual' FROM posthorn.dead_letter"
                        + " WHERE cause = 'sequence-mismatch'"))
                .containsExactly("5|7");
    }

    @Test
    void whoGivesUpExplicitlyOnlyTriesForEver() {
        AtomicInteger calls = new AtomicInteger();
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            if (calls.incrementAndGet() < 8) {
                throw new IllegalStateException("not yet");
            }
            ConsumerHarness.write("bill", event, connection);
        });

        try (Consumer<Connection> consumer = harness.start(config().giveUp(GiveUp.EXPLICIT), one(handler))) {
            harness.publish(event("a"));
            Await.until(
                    "it is handled after all", () -> consumer.report().totals().handled() == 1);
        }

        assertThat(harness.letters()).isEmpty();
    }

    @Test
    void severalHandlersOfAnEventDoNotRepeatEachOther() {
        Event event = event("a");
        Handlers<Connection> handlers = Handlers.<Connection>none()
                .on("order.placed", "fails", EventHandler.of((any, connection) -> {
                    throw new IllegalStateException("never");
                }))
                .on("order.placed", "bill", effect("bill"))
                .onAll("count", effect("count"));

        try (Consumer<Connection> consumer = harness.start(config(), handlers)) {
            harness.publish(event);
            Await.until("one is dead", () -> consumer.report().totals().dead() == 1);
        }

        assertThat(harness.effects()).containsExactly("bill " + event.id(), "count " + event.id());
        assertThat(harness.letters()).singleElement().asString().startsWith("DEAD fails processing-failed 3 ");
    }

    @Test
    void aHandlerThatTakesTooLongIsEndedEvenInsideAQuery() {
        AtomicInteger calls = new AtomicInteger();
        EventHandler<Connection> slow = EventHandler.of((event, connection) -> {
            if (calls.incrementAndGet() == 1) {
                TestPostgres.run(connection, "SELECT pg_sleep(60)");
            } else if (calls.get() == 2) {
                TimeUnit.SECONDS.sleep(60);
            }
            ConsumerHarness.write("bill", event, connection);
        });

        try (Consumer<Connection> consumer = harness.start(config().handlerTime(Duration.ofMillis(200)), one(slow))) {
            harness.publish(event("a"));
            Await.until(
                    "it is handled at the third attempt",
                    () -> consumer.report().totals().handled() == 1);
        }

        assertThat(calls).hasValue(3);
        assertThat(harness.effects()).hasSize(1);
    }

    @Test
    void aSecondDeliveryWaitsAndIsHandledWhenTheFirstIsUndone() throws Exception {
        Event event = event("a");
        PostgresInbox inbox = new PostgresInbox(harness.pool, Schema.DEFAULT);
        CountDownLatch begun = new CountDownLatch(1);
        try (Connection first = harness.postgres.transaction()) {
            assertThat(inbox.once(first, ConsumerHarness.NAME, event.id(), any -> begun.countDown()))
                    .isTrue();
            AtomicInteger second = new AtomicInteger();
            Thread other = new Thread(() -> {
                try (Connection connection = harness.postgres.transaction()) {
                    if (inbox.once(connection, ConsumerHarness.NAME, event.id(), any -> second.incrementAndGet())) {
                        connection.commit();
                    }
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
            other.start();
            Await.until(
                    "it waits for the first",
                    () -> harness.rows("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                            + " AND datname = current_database()")
                                    .size()
                            == 1);
            assertThat(second).hasValue(0);
            first.rollback();
            other.join();
            assertThat(second).hasValue(1);
        }
    }

    @Test
    void onceRefusesAConnectionThatCommitsByItself() throws SQLException {
        PostgresInbox inbox = new PostgresInbox(harness.pool, Schema.DEFAULT);
        try (Connection connection = harness.pool.getConnection()) {
            assertThatThrownBy(
                            () -> inbox.once(connection, "billing", event("a").id(), any -> {}))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void aBatchSharesATransactionAndFallsBackToOneByOne() {
        List<Event> events = List.of(event("a"), event("b"), event("c"), event("d"), event("e"));
        Event poison = events.get(2);
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            ConsumerHarness.write("bill", event, connection);
            if (event.equals(poison)) {
                throw new IllegalStateException("poison");
            }
        });

        try (Consumer<Connection> consumer = harness.start(config().batch(10, Duration.ofMillis(300)), one(handler))) {
            harness.publish(events.toArray(Event[]::new));
            Await.until("one is dead", () -> consumer.report().totals().dead() == 1);
            Await.until(
                    "the others are handled", () -> consumer.report().totals().handled() == 4);
        }

        assertThat(harness.effects())
                .hasSize(4)
                .doesNotHaveDuplicates()
                .noneMatch(text -> text.contains(poison.id().toString()));
    }

    @Test
    void aWholeBatchIsOneTransaction() {
        try (Consumer<Connection> consumer =
                harness.start(config().batch(4, Duration.ofSeconds(5)), one(effect("bill")))) {
            harness.publish(event("a"), event("b"), event("c"), event("d"));
            Await.until("all are handled", () -> consumer.report().totals().handled() == 4);
        }

        assertThat(harness.rows("SELECT count(DISTINCT xmin::text) FROM effect"))
                .containsExactly("1");
    }

    @Test
    void aPausedConsumerTakesNothingUntilItIsResumedByAnOperator() throws SQLException {
        try (Consumer<Connection> consumer = harness.start(config(), one(effect("bill")))) {
            harness.publish(event("a"));
            Await.until("it is handled", () -> consumer.report().totals().handled() == 1);

            harness.postgres.run("SELECT posthorn.pause_consumer('billing', true, 'the ledger is being moved')");
            Await.until("it is paused", consumer::isPaused);
            harness.postgres.run("SELECT posthorn.pause_consumer('billing', false, 'moved')");
            Await.until("it goes on", () -> !consumer.isPaused());
            Await.until(
                    "its member is seen",
                    () -> harness.rows("SELECT handled FROM posthorn.consumer_member")
                            .equals(List.of("1")));
            harness.publish(event("b"));
            Await.until("the next is handled", () -> consumer.report().totals().handled() == 2);
        }

        assertThat(harness.rows("SELECT action, target, reason FROM posthorn.operator_action ORDER BY id"))
                .containsExactly("pause consumer|billing|the ledger is being moved", "resume consumer|billing|moved");
        assertThat(harness.rows("SELECT * FROM posthorn.consumer_member"))
                .as("who ends says so")
                .isEmpty();
    }

    @Test
    void aRedrivenLetterIsHandledOnceAndInTheOrderOfItsKey() throws SQLException {
        AtomicInteger broken = new AtomicInteger(1);
        EventHandler<Connection> handler = EventHandler.of((event, connection) -> {
            if (broken.get() == 1) {
                throw new IllegalStateException("the ledger is closed");
            }
            ConsumerHarness.write("bill", event, connection);
        });
        Event first = event("a");
        Event second = event("a");

        try (Consumer<Connection> consumer = harness.start(config(), one(handler));
                Consumer<Connection> member = harness.start(config(), one(handler))) {
            harness.publish(first, second);
            Await.until(
                    "both are dead",
                    () -> consumer.report().totals().dead()
                                    + member.report().totals().dead()
                            == 2);

            harness.postgres.run("SELECT posthorn.redrive_letters(array_agg(id), false, 'still closed') FROM"
                    + " posthorn.dead_letter");
            Await.until(
                    "both are dead again",
                    () -> harness.rows("SELECT 1 FROM posthorn.dead_letter WHERE state = 'DEAD' AND redrives = 1")
                                    .size()
                            == 2);

            broken.set(0);
            harness.postgres.run("SELECT posthorn.redrive_letters(array_agg(id), false, 'open again') FROM"
                    + " posthorn.dead_letter");
            Await.until("both are handled", () -> harness.effects().size() == 2);
        }

        assertThat(harness.effects()).containsExactly("bill " + first.id(), "bill " + second.id());
        assertThat(harness.rows("SELECT state, redrives FROM posthorn.dead_letter ORDER BY seq"))
                .containsExactly("HANDLED|2", "HANDLED|2");
        assertThat(harness.rows("SELECT dead, handler FROM posthorn.inbox")).containsExactly("f|bill", "f|bill");
    }
}
