package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Replay.State;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.testkit.RecordingTransport.Call;
import dev.posthorn.transport.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a replay is published: order, failures, pace, cancelling, pausing and claims. */
class ReplayStepTest {

    private final ReplayScene scene = new ReplayScene();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void anEventThatFailsIsTriedAgainAndItsKeyWaitsForIt() throws SQLException {
        scene.emit(ReplayScene.events(60, 4));
        RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
                event.sequence().getAsLong() % 7 == 0 && attempt < 3 ? Outcome.failed("not yet") : Outcome.accepted());
        Replay replay = scene.start(Selection.ALL);

        scene.runToEnd(scene.step(transport.publisher()));

        transport.assertAtMostOneInFlightPerKey();
        assertThat(stateOf(replay)).isEqualTo(State.DONE);
        firstsByKey(transport)
                .values()
                .forEach(sequences ->
                        assertThat(sequences).hasSize(15).isSorted().doesNotHaveDuplicates());
        // No later event of a key came between the tries of an earlier one.
        everyCallByKey(transport)
                .values()
                .forEach(sequences -> assertThat(sequences).isSorted());
    }

    @Test
    void anEventThatFailsTooOftenStopsTheReplayWhichCanBeResumed() throws SQLException {
        scene.emit(ReplayScene.events(30, 5));
        AtomicBoolean broken = new AtomicBoolean(true);
        RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
                broken.get() && event.sequence().getAsLong() == 13 ? Outcome.failed("no room") : Outcome.accepted());
        Replay replay = scene.start(Selection.ALL);
        ReplayStep step = scene.step(transport.publisher());

        scene.runToEnd(step);

        Replay failed = scene.desk.find(replay.id());
        assertThat(failed.state()).isEqualTo(State.FAILED);
        assertThat(failed.history().fault())
                .hasValueSatisfying(
                        why -> assertThat(why).contains("key=k3").contains("failed 3 times, at last: no room"));
        assertThat(failed.progress().done()).isEqualTo(13);
        assertThat(sequences(transport)).doesNotContain(18L, 23L);
        broken.set(false);
        scene.desk.resume(replay.id(), "mended");
        scene.runToEnd(step);
        assertThat(stateOf(replay)).isEqualTo(State.DONE);
        assertThat(scene.desk.find(replay.id()).progress().done()).isEqualTo(30);
        assertThat(sequences(transport)).contains(13L, 18L, 23L).hasSizeLessThanOrEqualTo(30 + 3 + ReplayScene.PAGE);
        assertThatThrownBy(() -> scene.desk.resume(replay.id(), null)).hasMessageContaining("is not FAILED");
    }

    @Test
    void whatIsRefusedStopsItAtOnce() throws SQLException {
        scene.emit(ReplayScene.events(3, 1));
        RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
                event.sequence().getAsLong() == 1 ? Outcome.refused("too large") : Outcome.accepted());
        Replay replay = scene.start(Selection.ALL);

        scene.runToEnd(scene.step(transport.publisher()));

        assertThat(stateOf(replay)).isEqualTo(State.FAILED);
        assertThat(sequences(transport)).containsExactly(0L, 1L);
    }

    @Test
    void aDestinationThatIsNotThereIsWaitedFor() throws SQLException {
        scene.emit(ReplayScene.events(3, 1));
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> attempt < 50 ? Outcome.unavailable("nobody is there") : Outcome.accepted());
        Replay replay = scene.start(Selection.ALL);

        scene.runToEnd(scene.step(transport.publisher()));

        assertThat(stateOf(replay)).isEqualTo(State.DONE);
    }

    @Test
    void aPublisherThatThrowsIsTriedAgain() throws SQLException {
        scene.emit(ReplayScene.events(20, 3));
        RecordingTransport transport = RecordingTransport.accepting();
        Replay replay = scene.start(Selection.ALL);
        FaultyPublisher publisher = new FaultyPublisher(transport.publisher(), 2);

        scene.runToEnd(scene.step(publisher));

        assertThat(stateOf(replay)).isEqualTo(State.DONE);
        assertThat(firstsByKey(transport).values())
                .allSatisfy(sequences -> assertThat(sequences).isSorted());
        assertThat(sequences(transport)).hasSize(20);
    }

    @Test
    void noMoreGoInASecondThanAsked() throws SQLException {
        scene.emit(ReplayScene.events(100, 100));
        RecordingTransport transport = RecordingTransport.accepting();
        Replay replay = scene.desk.start(ReplayScene.EVERYTHING.atRate(20));
        ReplayStep step = scene.step(transport.publisher());
        int most = 0;
        int seconds = 0;
        while (stateOf(replay) == State.RUNNING) {
            int before = transport.calls().size();
            Duration passed = Duration.ZERO;
            while (passed.compareTo(Duration.ofSeconds(1)) < 0) {
                Duration pause = step.runOnce();
                Duration shown = pause.compareTo(Duration.ofMillis(10)) < 0 ? Duration.ofMillis(10) : pause;
                scene.pass(shown);
                passed = passed.plus(shown);
            }
            most = Math.max(most, transport.calls().size() - before);
            seconds++;
        }

        assertThat(most).isBetween(18, 23); // what was not used for a tenth of a second may be made up for
        assertThat(seconds).isBetween(5, 6);
        assertThat(sequences(transport)).hasSize(100);
    }

    @Test
    void cancelStopsItWithinAPage() throws SQLException {
        scene.emit(ReplayScene.events(200, 50));
        RecordingTransport transport = RecordingTransport.accepting();
        Replay replay = scene.start(Selection.ALL);
        ReplayStep step = scene.step(transport.publisher());
        while (transport.calls().size() < 35) {
            scene.pass(step.runOnce());
        }

        scene.desk.cancel(replay.id(), "enough");
        int then = transport.calls().size();
        for (int i = 0; i < 100; i++) {
            scene.pass(step.runOnce());
        }

        assertThat(transport.calls().size() - then).isLessThanOrEqualTo(ReplayScene.PAGE);
        assertThat(stateOf(replay)).isEqualTo(State.CANCELLED);
        assertThatThrownBy(() -> scene.desk.cancel(replay.id(), "again"))
                .hasMessageContaining("is not RUNNING or FAILED");
        assertThat(scene.postgres.rows("SELECT action, reason, rows > 0 FROM posthorn.operator_action"
                        + " WHERE target = '" + replay.id() + "' ORDER BY id"))
                .containsExactly("start replay||t", "cancel replay|enough|t");
    }

    @Test
    void cancelIsNoticedAlsoInTheMiddleOfASlowPage() throws SQLException {
        scene.emit(ReplayScene.events(20, 20));
        RecordingTransport transport = RecordingTransport.holding((event, attempt) -> Outcome.accepted());
        Replay replay = scene.start(Selection.ALL);
        ReplayStep step = scene.step(transport.publisher());
        for (int i = 0; i < 3; i++) {
            step.runOnce();
        }
        transport.release(5);
        scene.desk.cancel(replay.id(), "enough");

        scene.pass(Duration.ofSeconds(6));
        step.runOnce();
        transport.release();
        for (int i = 0; i < 20; i++) {
            scene.pass(step.runOnce());
        }

        assertThat(transport.calls()).hasSize(ReplayScene.PAGE);
    }

    @Test
    void aPausedRoutePausesItsReplays() throws SQLException {
        PostgresRoutes routes = new PostgresRoutes(scene.pool, Schema.DEFAULT);
        scene.emit(ReplayScene.events(40, 5));
        RecordingTransport transport = RecordingTransport.accepting();
        Replay replay = scene.start(Selection.ALL);
        ReplayStep step = scene.step(transport.publisher());
        while (transport.calls().size() < ReplayScene.PAGE) {
            scene.pass(step.runOnce());
        }

        routes.pause("main", null);
        int then = transport.calls().size();
        for (int i = 0; i < 50; i++) {
            scene.pass(step.runOnce());
        }
        assertThat(transport.calls().size() - then).isLessThanOrEqualTo(ReplayScene.PAGE);
        assertThat(stateOf(replay)).isEqualTo(State.RUNNING);

        routes.resume("main", null);
        scene.runToEnd(step);
        assertThat(stateOf(replay)).isEqualTo(State.DONE);
        assertThat(sequences(transport)).hasSize(40);
    }

    @Test
    void aPausedConsumerPausesItsReplays() throws SQLException {
        scene.emit(ReplayScene.events(5, 5));
        Target billing = Target.consumer("billing");
        scene.desk.start(Replay.Request.into(billing));
        scene.postgres.run("INSERT INTO posthorn.consumer (name, paused_at) VALUES ('billing', now())");
        assertThat(scene.store.claim(billing, "one", Duration.ofSeconds(5))).isEmpty();

        scene.postgres.run("UPDATE posthorn.consumer SET paused_at = NULL");

        assertThat(scene.store.claim(billing, "one", Duration.ofSeconds(5))).isPresent();
    }

    @Test
    void aZombieWritesNothing() throws SQLException {
        scene.emit(ReplayScene.events(50, 5));
        RecordingTransport slow = RecordingTransport.holding((event, attempt) -> Outcome.accepted());
        Replay replay = scene.start(Selection.ALL);
        ReplayStep zombie = scene.step("zombie", scene.store, slow.publisher());
        for (int i = 0; i < 3; i++) {
            zombie.runOnce();
        }
        assertThat(slow.held()).isPositive();
        RecordingTransport transport = RecordingTransport.accepting();
        ReplayStep other = scene.step("other", scene.store, transport.publisher());
        assertThat(other.runOnce()).as("nothing to claim").isEqualTo(scene.config.idle());

        scene.expireClaims();
        for (int i = 0; i < 8; i++) {
            other.runOnce();
        }
        String before = positions();
        for (int i = 0; i < 20; i++) {
            slow.release();
            zombie.runOnce();
        }

        assertThat(positions()).isEqualTo(before);
        assertThat(slow.calls()).hasSizeLessThanOrEqualTo(ReplayScene.PAGE);
        scene.runToEnd(other);
        assertThat(stateOf(replay)).isEqualTo(State.DONE);
        assertThat(scene.desk.find(replay.id()).progress().done()).isEqualTo(50);
        assertThat(sequences(transport)).hasSize(50);
    }

    @Test
    void whoIsClosedLeavesItToTheNextAtOnce() throws SQLException {
        scene.emit(ReplayScene.events(50, 5));
        RecordingTransport transport = RecordingTransport.accepting();
        Replay replay = scene.start(Selection.ALL);
        ReplayStep first = scene.step("first", scene.store, transport.publisher());
        while (transport.calls().size() < 25) {
            scene.pass(first.runOnce());
        }

        first.close();
        scene.runToEnd(scene.step("second", scene.store, transport.publisher()));

        assertThat(stateOf(replay)).isEqualTo(State.DONE);
        assertThat(sequences(transport)).as("none twice").hasSize(50);
    }

    @Test
    void aReplayIntoAConsumerIsOnlyForThat() throws SQLException {
        scene.emit(ReplayScene.events(5, 5));
        Replay replay = scene.desk.start(Replay.Request.into(Target.consumer("billing")));
        RecordingTransport ofRoute = RecordingTransport.accepting();
        RecordingTransport ofConsumer = RecordingTransport.accepting();

        assertThat(scene.step(ofRoute.publisher()).runOnce()).isEqualTo(scene.config.idle());
        ReplayStep billing = new ReplayStep(new ReplayStep.Parts(
                "one", Target.consumer("billing"), scene.store, ofConsumer.publisher(), scene.config));
        scene.runToEnd(billing);

        assertThat(ofRoute.calls()).isEmpty();
        assertThat(ofConsumer.calls()).hasSize(5);
        assertThat(stateOf(replay)).isEqualTo(State.DONE);
    }

    private State stateOf(Replay replay) {
        return scene.desk.find(replay.id()).state();
    }

    private String positions() throws SQLException {
        return scene.postgres
                .rows("SELECT position, done, epoch, state, owner FROM posthorn.replay")
                .toString();
    }

    private static List<Long> sequences(RecordingTransport transport) {
        return transport.events().stream()
                .map(event -> event.sequence().getAsLong())
                .toList();
    }

    private static Map<String, List<Long>> everyCallByKey(RecordingTransport transport) {
        return byKey(transport.calls());
    }

    private static Map<String, List<Long>> firstsByKey(RecordingTransport transport) {
        Map<UUID, Call> firsts = new HashMap<>();
        return byKey(transport.calls().stream()
                .filter(call -> firsts.putIfAbsent(call.event().id(), call) == null)
                .toList());
    }

    private static Map<String, List<Long>> byKey(List<Call> calls) {
        return calls.stream()
                .map(Call::event)
                .collect(Collectors.groupingBy(
                        event -> event.key().orElseThrow(),
                        Collectors.mapping((Event event) -> event.sequence().getAsLong(), Collectors.toList())));
    }
}
