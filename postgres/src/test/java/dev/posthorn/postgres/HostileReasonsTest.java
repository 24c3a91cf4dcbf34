package dev.posthorn.postgres;

import static dev.posthorn.postgres.ConsumerHarness.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerReport;
import dev.posthorn.inbox.ConsumerState;
import dev.posthorn.inbox.ConsumerStore;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.HandoverStore;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.Redriven;
import dev.posthorn.postgres.DeadDecision.Verb;
import dev.posthorn.replay.Replay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A reason that Postgres cannot store concerns the one event, letter or replay that it was given for. */
class HostileReasonsTest {

    private static final String HOSTILE = "a\0b\uD800c";
    private static final String READABLE = "a\uFFFDb\uFFFDc";

    @Test
    void oneRefusalWithANulCharacterHoldsUpNoOtherEventOfTheRoute() {
        try (RelayHarness harness = new RelayHarness()) {
            List<Event> events = IntStream.range(0, 200)
                    .mapToObj(i -> Event.of("orders", "Placed").key("k" + i).build())
                    .toList();
            Event refused = events.get(100);
            RecordingTransport transport = RecordingTransport.answering(
                    (event, attempt) -> event.equals(refused) ? Outcome.refused(HOSTILE) : Outcome.accepted());
            harness.startRelay("r1", transport.publisher());

            harness.emit(events);

            String open = "SELECT count(*) FROM posthorn.outbox_status WHERE state NOT IN ('SENT', 'FAILED')";
            Await.until(
                    "every event is SENT or FAILED", () -> harness.rows(open).equals(List.of("0")));
            assertThat(harness.rows("SELECT state, count(*) FROM posthorn.outbox_status GROUP BY 1 ORDER BY 1"))
                    .containsExactly("FAILED|1", "SENT|199");
            assertThat(harness.status(refused)).containsEntry("last_error", READABLE);
            assertThat(transport.calls()).hasSize(200);
        }
    }

    @Test
    void aRedrivenLetterThatFailsWithANulCharacterHoldsUpNoneBehindIt() throws SQLException {
        try (ConsumerHarness harness = new ConsumerHarness()) {
            Event bad = ConsumerHarness.event("bad");
            AtomicBoolean broken = new AtomicBoolean(true);
            AtomicInteger redriven = new AtomicInteger();
            EventHandler<Connection> handler = (event, connection) -> {
                if (broken.get()) {
                    return Verdict.reject("not yet");
                }
                if (event.equals(bad)) {
                    redriven.incrementAndGet();
                    return Verdict.reject(HOSTILE);
                }
                ConsumerHarness.write("bill", event, connection);
                return Verdict.done();
            };
            try (Consumer<Connection> consumer = harness.start(
                    config().retries(RetryPolicy.fixed(1, Duration.ofMillis(10))),
                    Handlers.<Connection>none().on("order.placed", "bill", handler))) {
                harness.publish(bad);
                Await.until("the bad one is dead", () -> harness.letters().size() == 1);
                for (int i = 0; i < 5; i++) {
                    harness.publish(ConsumerHarness.event("good" + i));
                }
                Await.until("all are dead", () -> harness.letters().size() == 6);
                broken.set(false);

                redriveAll(harness);

                Await.until("the good ones are handled", () -> harness.effects().size() == 5);
                Await.until(
                        "the bad one is dead again",
                        () -> harness.letters().stream()
                                .anyMatch(letter -> letter.startsWith("DEAD") && letter.endsWith(READABLE)));
                assertThat(redriven).hasValue(1);
                Await.untilCounted(5, () -> consumer.report().totals().handled());
            }
        }
    }

    private static void redriveAll(ConsumerHarness harness) {
        DeadRun run = new PostgresDeadDesk(harness.pool, Schema.DEFAULT)
                .decide(DeadFilter.all(), new DeadDecision(Verb.REDRIVE, "fixed"), 100);
        while (!run.isOver()) {
            run.runOnce();
        }
    }

    @Test
    void aConsumerWhoseTroubleHasANulCharacterStillReportsAndObeysAPause() throws SQLException {
        try (ConsumerHarness harness = new ConsumerHarness()) {
            EventHandler<Connection> handler = (event, connection) -> Verdict.retry(Duration.ofMinutes(1), HOSTILE);
            try (Consumer<Connection> consumer =
                    harness.start(config(), Handlers.<Connection>none().on("order.placed", "bill", handler))) {
                harness.publish(ConsumerHarness.event("a"));
                Await.until("it has trouble", () -> consumer.report().trouble().isPresent());
                PostgresConsumerDesk desk = new PostgresConsumerDesk(harness.pool, Schema.DEFAULT);

                desk.pause(ConsumerHarness.NAME, "look at it");

                Await.until("the member is paused", consumer::isPaused);
                assertThat(desk.list().get(0).members().get(0).trouble())
                        .hasValueSatisfying(trouble -> assertThat(trouble).contains(READABLE));
            }
        }
    }

    @Test
    void aReplayThatIsRefusedWithANulCharacterEndsWithItsFault() throws SQLException {
        try (ReplayScene scene = new ReplayScene()) {
            scene.emit(ReplayScene.events(3, 3));
            Replay replay = scene.desk.start(ReplayScene.EVERYTHING);
            RecordingTransport transport = RecordingTransport.answering((event, attempt) -> Outcome.refused(HOSTILE));

            scene.runToEnd(scene.step(transport.publisher()));

            assertThat(scene.desk.find(replay.id()).state()).isEqualTo(Replay.State.FAILED);
            assertThat(scene.desk.find(replay.id()).history().fault())
                    .hasValueSatisfying(fault -> assertThat(fault).contains(READABLE));
        }
    }

    /** A store that fails for one letter as if the database refused it. */
    private record Refusing(ConsumerStore<Connection> store, Set<UUID> letters, AtomicInteger refusals)
            implements ConsumerStore<Connection> {

        @Override
        public ConsumerState report(ConsumerReport report) {
            return store.report(report);
        }

        @Override
        public void leave(String consumer, String member) {
            store.leave(consumer, member);
        }

        @Override
        public List<Redriven> redriven(String consumer, int limit) {
            return store.redriven(consumer, limit);
        }

        @Override
        public boolean take(Connection transaction, UUID letter) {
            if (letters.contains(letter)) {
                refusals.incrementAndGet();
                throw new InboxException("the store refuses this letter", new SQLException("refused", "22021"));
            }
            return store.take(transaction, letter);
        }

        @Override
        public Optional<HandoverStore> handovers() {
            return store.handovers();
        }

        @Override
        public void deadAgain(UUID letter, String reason) {
            store.deadAgain(letter, reason);
        }
    }

    @Test
    void aLetterThatTheStoreRefusesWaitsLongerEachTimeAndHoldsUpNoOther() throws SQLException {
        try (ConsumerHarness harness = new ConsumerHarness()) {
            AtomicBoolean broken = new AtomicBoolean(true);
            EventHandler<Connection> handler = (event, connection) -> {
                if (broken.get()) {
                    return Verdict.reject("not yet");
                }
                ConsumerHarness.write("bill", event, connection);
                return Verdict.done();
            };
            Set<UUID> refused = ConcurrentHashMap.newKeySet();
            AtomicInteger refusals = new AtomicInteger();
            Equipment<Connection> equipment = PostgresInbox.equipment(harness.pool, Schema.DEFAULT);
            try (Consumer<Connection> consumer = Consumer.start(
                    harness.bus,
                    config().retries(RetryPolicy.fixed(1, Duration.ofMillis(10))),
                    Handlers.<Connection>none().on("order.placed", "bill", handler),
                    new Equipment<>(
                            equipment.inbox(),
                            equipment.deadLetters(),
                            new Refusing(equipment.store(), refused, refusals)))) {
                for (String key : List.of("bad", "good", "bad", "fine", "well")) {
                    int before = harness.letters().size();
                    harness.publish(ConsumerHarness.event(key));
                    Await.until("it is dead", () -> harness.letters().size() == before + 1);
                }
                refused.add(UUID.fromString(harness.rows("SELECT id FROM posthorn.dead_letter ORDER BY seq LIMIT 1")
                        .get(0)));
                broken.set(false);

                redriveAll(harness);

                Await.until(
                        "the other keys are handled", () -> harness.effects().size() == 3);
                Await.until("it is tried again", () -> refusals.get() >= 2);
                assertThat(refusals.get()).isLessThan(4);
                assertThat(harness.effects()).as("the second of the key waits").hasSize(3);
                refused.clear();
                Await.until(
                        "both of the key are handled", () -> harness.effects().size() == 5);
                Await.untilCounted(5, () -> consumer.report().totals().handled());
            }
        }
    }
}
