package dev.posthorn.transports.postgreslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresDeadEvents;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("exact")
class TransactionalSubscriptionTest {

    private static final Subscriber BILLING =
            Subscriber.named("billing").domains("orders").concurrency(2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private PostgresBroker broker;
    private Scene scene;

    @BeforeAll
    void start() {
        broker = new PostgresBroker();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @BeforeEach
    void open() {
        scene = new Scene(broker);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void everyEventHasItsEffectOnceAndInOrder() {
        List<Event> events = Scene.events(2_000, 50);
        scene.bus().subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            return Verdict.done();
        });

        scene.emit(events);

        scene.awaitExactly(events, BILLING, PATIENCE);
    }

    @Test
    void aFailingHandlerUndoesItsOwnEffectOnlyAndOtherKeysGoOn() {
        List<Event> events = Scene.events(60, 6);
        Map<UUID, Integer> attempts = new ConcurrentHashMap<>();
        scene.bus().subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            attempts.put(event.id(), attempt);
            long number = event.sequence().orElseThrow();
            if (number == 6 && attempt < 3) {
                throw new IllegalStateException("not yet");
            }
            if (number == 13 && attempt < 3) {
                return Verdict.retry(Duration.ofMillis(200), "later");
            }
            return Verdict.done();
        });

        scene.emit(events);

        scene.awaitExactly(events, BILLING, PATIENCE);
        assertThat(attempts.get(events.get(6).id())).isEqualTo(3);
        assertThat(attempts.get(events.get(13).id())).isEqualTo(3);
        assertThat(attempts.get(events.get(7).id())).isEqualTo(1);
    }

    @Test
    void anErrorOfTheDatabaseThatTheHandlerSwallowedIsAFailureOfThatEventOnly() {
        List<Event> events = Scene.events(20, 4);
        scene.bus().subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            if (event.sequence().orElseThrow() == 5 && attempt == 1) {
                try (var statement = connection.createStatement()) {
                    statement.execute("SELECT 1 / 0");
                } catch (java.sql.SQLException swallowed) {
                    return Verdict.done();
                }
            }
            return Verdict.done();
        });

        scene.emit(events);

        scene.awaitExactly(events, BILLING, PATIENCE);
    }

    @Test
    void aConstraintThatIsCheckedAtTheCommitIsAFailureOfThatEventOnly() {
        scene.run("CREATE TABLE " + scene.prefix() + ".parent (id bigint PRIMARY KEY)");
        scene.run("CREATE TABLE " + scene.prefix() + ".child (parent bigint REFERENCES " + scene.prefix()
                + ".parent DEFERRABLE INITIALLY DEFERRED)");
        List<Event> events = Scene.events(30, 5);
        scene.bus().subscribeInTransaction(BILLING.concurrency(1), (event, attempt, connection) -> {
            scene.effect(event, connection);
            if (event.sequence().orElseThrow() == 7 && attempt == 1) {
                try (var statement = connection.createStatement()) {
                    statement.execute("INSERT INTO " + scene.prefix() + ".child VALUES (1)");
                }
            }
            return Verdict.done();
        });

        scene.emit(events);

        scene.awaitExactly(events, BILLING, PATIENCE);
        assertThat(scene.count("SELECT count(*) FROM " + scene.prefix() + ".attempt WHERE event_id = '"
                        + events.get(7).id() + "'"))
                .isEqualTo(1);
    }

    @Test
    void whatIsRejectedHasNoEffectAndOneWhenItIsRedriven() {
        List<Event> events = Scene.events(10, 2);
        Set<Long> rejected = ConcurrentHashMap.newKeySet();
        rejected.add(4L);
        Subscription subscription = scene.bus().subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            return rejected.contains(event.sequence().orElseThrow()) ? Verdict.reject("bad address") : Verdict.done();
        });
        scene.emit(events);
        Await.until("the other effects", () -> scene.effects().size() == 9 && scene.isDrained(BILLING));
        var dead = scene.inspection().dead(scene.routeOf(BILLING), null, 10);
        assertThat(dead).singleElement().satisfies(one -> {
            assertThat(one.id()).isEqualTo(events.get(4).id());
            assertThat(one.setback().lastError()).contains("bad address");
        });
        Await.untilCounted(1, () -> subscription.status().totals().rejected());
        rejected.clear();

        new PostgresDeadEvents(broker.own(), scene.schema())
                .redrive(scene.routeOf(BILLING), events.get(4).id(), "the address is corrected");

        Await.until("its effect", () -> scene.effects().size() == 10 && scene.isDrained(BILLING));
        assertThat(scene.effects().stream().map(Scene.Effect::event)).doesNotHaveDuplicates();
    }

    @Test
    void aLimitOnAttemptsMakesADeadLetter() {
        Event event = Scene.events(1, 1).get(0);
        var twice =
                scene.config().policy().withRetry(dev.posthorn.transport.RetryPolicy.fixed(2, Duration.ofMillis(10)));
        AtomicInteger attempts = new AtomicInteger();
        scene.bus(broker.pool(), scene.config().withPolicy(twice))
                .subscribeInTransaction(BILLING, (one, attempt, connection) -> {
                    attempts.set(attempt);
                    throw new IllegalStateException("no");
                });

        scene.emit(List.of(event));

        Await.until(
                "the dead letter",
                () -> scene.inspection().dead(scene.routeOf(BILLING), null, 10).size() == 1);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void whatAHandlerEmitsIsCommittedWithItsEffect() {
        List<Event> events = Scene.events(20, 4);
        List<Event> followers = new CopyOnWriteArrayList<>();
        Subscriber shipping = Subscriber.named("shipping").domains("shipping");
        PostgresLogTransport bus = scene.bus();
        bus.subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            Event follower = Event.of("shipping", "Requested")
                    .key(event.key().orElseThrow())
                    .sequence(event.sequence().orElseThrow())
                    .causationId(event.id().toString())
                    .build();
            broker.outbox(scene.prefix()).emit(connection, follower);
            if (attempt == 1 && event.sequence().orElseThrow() % 5 == 0) {
                throw new IllegalStateException("not yet");
            }
            followers.add(follower);
            return Verdict.done();
        });
        bus.subscribeInTransaction(shipping, (event, attempt, connection) -> {
            scene.effect(event, connection);
            return Verdict.done();
        });

        scene.emit(events);

        Await.until(
                "20 effects, so far " + scene.effects().size(),
                () -> scene.effects().size() >= 20);
        scene.awaitExactly(followers, shipping, PATIENCE);
    }

    @Test
    void anEventThatIsNotDueYetWaitsAndHasItsEffectOnce() {
        List<Event> events = new ArrayList<>(Scene.events(4, 2));
        events.add(Event.of("orders", "Reminder")
                .key("key-0")
                .sequence(100)
                .deliverAfter(java.time.Instant.now().plusSeconds(1))
                .build());
        scene.bus().subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            return Verdict.done();
        });

        scene.emit(events);

        scene.awaitExactly(events, BILLING, PATIENCE);
    }

    @Test
    void closingWaitsForTheHandlerThatRunsAndTheRestComesLater() throws InterruptedException {
        List<Event> events = Scene.events(40, 40);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        PostgresLogTransport bus = scene.bus();
        Subscription first = bus.subscribeInTransaction(BILLING.concurrency(1), (event, attempt, connection) -> {
            begun.countDown();
            assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
            scene.effect(event, connection);
            return Verdict.done();
        });
        scene.emit(events);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        Thread release = new Thread(goOn::countDown);
        Await.until("the handler to be at it", () -> first.status().unsettled() > 0);
        release.start();
        first.close();

        assertThat(scene.effects()).isNotEmpty();
        bus.subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            return Verdict.done();
        });
        scene.awaitExactly(events, BILLING, PATIENCE);
    }

    @Test
    void aHandlerThatOutlastsTheDrainTimeHasNoEffectAndTheNextMemberDoesIt() throws InterruptedException {
        List<Event> events = Scene.events(3, 1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        PostgresLogTransport bus = scene.bus();
        Subscription first = bus.subscribeInTransaction(
                BILLING.concurrency(1).drainTime(Duration.ofMillis(100)), (event, attempt, connection) -> {
                    scene.effect(event, connection);
                    begun.countDown();
                    awaitThroughInterrupts(goOn);
                    over.countDown();
                    return Verdict.done();
                });
        scene.emit(events);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        first.close();

        bus.subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            return Verdict.done();
        });
        Await.until("the next member", () -> scene.effects().size() == 3);
        goOn.countDown();
        assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
        scene.awaitExactly(events, BILLING, PATIENCE);
    }

    private static void awaitThroughInterrupts(CountDownLatch latch) {
        Await.until("the test to go on", () -> {
            Thread.interrupted();
            return latch.getCount() == 0;
        });
    }
}
