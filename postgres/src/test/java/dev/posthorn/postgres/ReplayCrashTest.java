package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.replay.Page;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Replay.State;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.ReplayStore;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that dies between any two steps of a replay: nothing is lost, at most a page comes twice, all in order. */
@Tag("exact")
class ReplayCrashTest {

    private static final int EVENTS = 45;
    private static final int PAGE = 10;

    private final ReplayScene scene = new ReplayScene();
    private final RecordingTransport transport = RecordingTransport.accepting();

    @AfterEach
    void close() {
        scene.close();
    }

    /** Every call to the database or the transport fails in turn, once before it did its work and once after. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void killedAtAnyStepItIsResumedByAnother(boolean afterwards) throws SQLException {
        scene.emit(ReplayScene.events(EVENTS, 4));
        scene.config = scene.config.withPage(PAGE);
        boolean cameToTheEnd = false;
        for (int fatal = 1; !cameToTheEnd; fatal++) {
            Replay replay = scene.start(Selection.ALL);
            int before = transport.calls().size();
            Fate fate = new Fate(fatal, afterwards);
            cameToTheEnd = !dies(fate);

            scene.expireClaims();
            scene.runToEnd(scene.step("heir", scene.store, transport.publisher()));

            List<Event> published =
                    transport.events().subList(before, transport.calls().size());
            assertThat(scene.desk.find(replay.id()).state()).isEqualTo(State.DONE);
            assertThat(scene.desk.find(replay.id()).progress().done()).isEqualTo(EVENTS);
            check(published);
        }
    }

    /** The same process goes on after an error of the database. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void afterAnErrorOfTheDatabaseItGoesOnByItself(boolean afterwards) throws SQLException {
        scene.emit(ReplayScene.events(EVENTS, 4));
        scene.config = scene.config.withPage(PAGE);
        boolean cameToTheEnd = false;
        for (int fatal = 1; !cameToTheEnd; fatal++) {
            Replay replay = scene.start(Selection.ALL);
            int before = transport.calls().size();
            Fate fate = new Fate(fatal, afterwards);
            ReplayStep step = scene.step("one", new MortalStore(scene.store, fate), transport.publisher());
            cameToTheEnd = true;
            for (int i = 0; i < 1_000 && scene.desk.find(replay.id()).state() == State.RUNNING; i++) {
                try {
                    scene.pass(step.runOnce());
                } catch (Killed error) {
                    cameToTheEnd = false;
                }
            }

            assertThat(scene.desk.find(replay.id()).state()).isEqualTo(State.DONE);
            check(transport.events().subList(before, transport.calls().size()));
        }
        transport.assertAtMostOneInFlightPerKey();
    }

    private boolean dies(Fate fate) {
        ReplayStep mortal = scene.step(
                "mortal", new MortalStore(scene.store, fate), new MortalPublisher(transport.publisher(), fate));
        try {
            scene.runToEnd(mortal);
            return false;
        } catch (Killed now) {
            return true;
        }
    }

    /** Every event, in order for each key but for one step back by a page at most. */
    private static void check(List<Event> published) {
        Map<UUID, Integer> times = new HashMap<>();
        published.forEach(event -> times.merge(event.id(), 1, Integer::sum));
        assertThat(times).hasSize(EVENTS);
        assertThat(times.values()).allMatch(count -> count <= 2);
        assertThat(published.size() - EVENTS).isLessThanOrEqualTo(PAGE);
        published.stream()
                .collect(Collectors.groupingBy(
                        event -> event.key().orElseThrow(),
                        Collectors.mapping((Event event) -> event.sequence().getAsLong(), Collectors.toList())))
                .values()
                .forEach(ReplayCrashTest::assertOneStepBackAtMost);
    }

    private static void assertOneStepBackAtMost(List<Long> sequences) {
        int back = 0;
        for (int i = 1; i < sequences.size(); i++) {
            boolean forward = sequences.get(i) > sequences.get(i - 1);
            back += forward ? 0 : 1;
            assertThat(sequences.get(i)).isLessThanOrEqualTo(sequences.get(i - 1) + 4);
        }
        assertThat(back).isLessThanOrEqualTo(1);
    }

    /** An Error, so that nothing takes it for an ordinary failure. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed by the test");
        }
    }

    /** Which call is the last. */
    private static final class Fate {

        private final int fatal;
        private final boolean afterwards;
        private int calls;

        Fate(int fatal, boolean afterwards) {
            this.fatal = fatal;
            this.afterwards = afterwards;
        }

        <T> T live(Supplier<T> work) {
            boolean last = ++calls == fatal;
            if (last && !afterwards) {
                throw new Killed();
            }
            T result = work.get();
            if (last) {
                throw new Killed();
            }
            return result;
        }
    }

    private record MortalStore(ReplayStore store, Fate fate) implements ReplayStore {

        @Override
        public Optional<Claim> claim(Target target, String owner, Duration ttl) {
            return fate.live(() -> store.claim(target, owner, ttl));
        }

        @Override
        public Optional<Page> page(Claim claim, long after, PageLimit limit) {
            return fate.live(() -> store.page(claim, after, limit));
        }

        @Override
        public Standing advance(Claim claim, Checkpoint checkpoint, Duration ttl) {
            return fate.live(() -> store.advance(claim, checkpoint, ttl));
        }

        @Override
        public boolean finish(Claim claim) {
            return fate.live(() -> store.finish(claim));
        }

        @Override
        public boolean fail(Claim claim, String fault) {
            return fate.live(() -> store.fail(claim, fault));
        }

        @Override
        public void release(Claim claim) {
            store.release(claim);
        }
    }

    private record MortalPublisher(Publisher publisher, Fate fate) implements Publisher {

        @Override
        public void publish(List<? extends Publication> publications) {
            boolean unused = fate.live(() -> {
                publisher.publish(publications);
                return true;
            });
        }

        @Override
        public void close() {
            publisher.close();
        }
    }
}
