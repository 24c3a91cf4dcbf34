package dev.posthorn.transports.postgreslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.StopMode;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever breaks: never an effect without its position, and never a position without its effect. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("exact")
class TransactionalFaultsTest {

    private static final Subscriber BILLING =
            Subscriber.named("billing").domains("orders").concurrency(1);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

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

    private TransactionalReceiver recording() {
        return (event, attempt, connection) -> {
            scene.effect(event, connection);
            return Verdict.done();
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSessionEndedAtAnyStepKeepsEffectAndPositionTogether(boolean afterTheStep) {
        StepwiseDataSource connections = new StepwiseDataSource(broker.pool(), broker.own());
        scene.bus(connections, scene.config()).subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            return event.sequence().orElseThrow() % 3 == 1 && attempt == 1
                    ? Verdict.retry(Duration.ofMillis(1))
                    : Verdict.done();
        });
        List<Event> events = new ArrayList<>();

        int step = 0;
        do {
            connections.strike(++step, afterTheStep);
            List<Event> more = Scene.events(3, 3);
            scene.emit(more);
            events.addAll(more);
            scene.awaitExactlyInAnyOrder(events, BILLING, PATIENCE);
        } while (connections.hasStruck());

        assertThat(step).as("steps of a transaction").isGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMemberThatIsFencedWhileItsHandlerRunsHasNoEffect(boolean knowsIt) throws InterruptedException {
        List<Event> events = Scene.events(12, 3);
        AtomicInteger handled = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        scene.bus().subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            scene.effect(event, connection);
            handled.incrementAndGet();
            begun.countDown();
            assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            return Verdict.done();
        });
        scene.emit(events);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        scene.bus().subscribeInTransaction(BILLING, (event, attempt, connection) -> {
            handled.incrementAndGet();
            return recording().receive(event, attempt, connection);
        });

        scene.fence();
        if (knowsIt) {
            Await.until(
                    "every lane to have an owner again",
                    () -> scene.count("SELECT count(*) FROM " + scene.prefix() + ".lease WHERE owner IS NULL") == 0);
        }
        goOn.countDown();

        scene.awaitExactly(events, BILLING, PATIENCE);
        assertThat(handled.get()).as("times that handlers ran").isGreaterThan(events.size());
    }

    @Test
    void aServerKilledInTheMiddleKeepsEffectAndPositionTogether() {
        List<Event> events = Scene.events(3_000, 50);
        scene.bus().subscribeInTransaction(BILLING.concurrency(3), recording());
        scene.emit(events);
        Await.until("some to be done", () -> scene.effects().size() > 300);

        broker.server().kill();
        broker.server().restart(StopMode.IMMEDIATE);

        scene.awaitExactly(events, BILLING, PATIENCE);
    }

    @Test
    void membersThatComeGoFailAndAreFencedAndWhoseSessionsEndHaveEachEffectOnce() {
        long seed = Long.getLong("posthorn.seed", ThreadLocalRandom.current().nextLong());
        System.out.println("posthorn.seed=" + seed);
        Random dice = new Random(seed);
        List<Event> events = new ArrayList<>();
        List<Subscription> members = new ArrayList<>();
        List<PostgresLogTransport> buses = List.of(scene.bus(), scene.bus());

        for (int round = 0; round < rounds(); round++) {
            if (members.size() < 2 || dice.nextInt(4) == 0) {
                members.add(buses.get(dice.nextInt(2))
                        .subscribeInTransaction(BILLING.concurrency(1 + dice.nextInt(2)), moody(dice.nextLong())));
            } else if (members.size() > 3) {
                members.remove(dice.nextInt(members.size())).close();
            }
            List<Event> more = Scene.eventsFrom(events.size(), 100, 20);
            scene.emit(more);
            events.addAll(more);
            hurt(dice);
            int wanted = dice.nextInt(events.size());
            Await.within(
                    PATIENCE,
                    () -> wanted + " effects, so far " + scene.effects().size() + scene.describe(BILLING),
                    () -> scene.effects().size() >= wanted);
        }

        scene.awaitExactly(events, BILLING, PATIENCE);
    }

    private static int rounds() {
        return switch (System.getProperty("posthorn.size", "normal")) {
            case "fast" -> 10;
            case "soak" -> 300;
            default -> 30;
        };
    }

    private void hurt(Random dice) {
        switch (dice.nextInt(4)) {
            case 0 -> scene.fence();
            case 1 ->
                scene.run("UPDATE " + scene.prefix() + ".lease SET owner = NULL, epoch = epoch + 1 WHERE lane % 2 = "
                        + dice.nextInt(2));
            case 2 ->
                scene.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND state = 'idle in transaction'");
            default ->
                scene.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND backend_type = 'client backend' AND pid % 3 = " + dice.nextInt(3));
        }
    }

    private TransactionalReceiver moody(long seed) {
        Random dice = new Random(seed);
        return (event, attempt, connection) -> {
            scene.effect(event, connection);
            int mood;
            synchronized (dice) {
                mood = dice.nextInt(40);
            }
            if (mood == 0) {
                throw new IllegalStateException("in a bad mood");
            }
            return mood == 1 ? Verdict.retry(Duration.ofMillis(20)) : Verdict.done();
        };
    }
}
