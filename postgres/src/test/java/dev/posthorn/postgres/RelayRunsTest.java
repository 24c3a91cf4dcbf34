package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.StoppedKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A publisher that keeps the order of a run gets many events of a key at once, and none of them twice or too early. */
@Tag("exact")
class RelayRunsTest {

    private static final int LONGEST = 50;

    private final RelayHarness harness = new RelayHarness();
    private final List<Event> arrived = new CopyOnWriteArrayList<>();
    private final Map<Event, Integer> calls = new HashMap<>();
    private final Map<Event, Integer> troubles = new HashMap<>();
    private final AtomicInteger longest = new AtomicInteger();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aKeyGoesOutInRunsOfNoMoreThanThePublisherTakes() {
        List<Event> events = events(2_000, 1);
        harness.emit(events);

        harness.startRelay("r1", new Runs());
        Await.until("all arrived", () -> arrived.size() >= events.size());

        assertThat(arrived).isEqualTo(events);
        assertThat(longest).hasValue(LONGEST);
        Await.until(
                "the last is shown as SENT",
                () -> harness.state(events.get(events.size() - 1)).equals("SENT"));
    }

    @Test
    void failuresInTheMiddleOfRunsKeepTheOrderAndChargeOnlyWhatFailed() {
        TestSeed seed = TestSeed.next("runs");
        Random random = seed.random();
        List<Event> events = events(600, 3);
        events.forEach(event -> troubles.put(event, random.nextInt(40) == 0 ? 1 + random.nextInt(3) : 0));
        Map<Event, Integer> failures = Map.copyOf(troubles);
        harness.emit(events);

        harness.startRelay("r1", new Runs());
        Await.until("all arrived", () -> arrived.size() >= events.size());

        assertThat(arrived).as("%s", seed).doesNotHaveDuplicates().hasSize(events.size());
        for (int key = 0; key < 3; key++) {
            String name = "key-" + key;
            assertThat(arrived.stream()
                            .filter(event -> event.key().orElseThrow().equals(name)))
                    .as("%s", seed)
                    .isEqualTo(events.stream()
                            .filter(event -> event.key().orElseThrow().equals(name))
                            .toList());
        }
        assertThat(longest.get()).isGreaterThan(1);
        events.forEach(event -> assertThat(calls.get(event))
                .as("tries of %s, %s", event, seed)
                .isEqualTo(1 + failures.getOrDefault(event, 0)));
    }

    @Test
    void whatIsSaidLateAboutEventsBehindADeadOneIsNotBelieved() {
        List<Event> events = events(3, 1);
        List<Publication> behind = new CopyOnWriteArrayList<>();
        Publisher publisher = new Runs() {
            @Override
            public synchronized void publish(List<? extends Publication> publications) {
                if (publications.get(0).event().equals(events.get(0))) {
                    behind.addAll(publications.subList(1, publications.size()));
                    publications.get(0).settle(Outcome.refused("poison"));
                } else {
                    super.publish(publications);
                }
            }
        };
        harness.emit(events);
        harness.startRelay("r1", publisher);
        Await.until("the first is FAILED", () -> harness.state(events.get(0)).equals("FAILED"));
        assertThat(behind).hasSize(2);

        behind.forEach(publication -> publication.settle(Outcome.refused("something of its key is dead")));

        Await.until("the others arrived", () -> arrived.size() >= 2);
        assertThat(arrived).isEqualTo(events.subList(1, 3));
        Await.until("the last is SENT", () -> harness.state(events.get(2)).equals("SENT"));
        assertThat(harness.rows("SELECT count(*) FROM posthorn.attempt")).containsExactly("1");
    }

    private static List<Event> events(int count, int keys) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(Event.of("shop", "placed")
                    .key("key-" + i % keys)
                    .sequence(i)
                    .json("" + i)
                    .build());
        }
        return events;
    }

    /** Takes one after the other, as a log on one connection does. */
    private class Runs implements Publisher {

        @Override
        public synchronized void publish(List<? extends Publication> publications) {
            StoppedKeys stopped = new StoppedKeys();
            Map<String, Integer> ofKey = new HashMap<>();
            for (Publication publication : publications) {
                Event event = publication.event();
                longest.accumulateAndGet(ofKey.merge(event.key().orElseThrow(), 1, Integer::sum), Math::max);
                if (!stopped.withhold(publication)) {
                    publication.settle(take(event, stopped));
                }
            }
        }

        private Outcome take(Event event, StoppedKeys stopped) {
            calls.merge(event, 1, Integer::sum);
            if (troubles.merge(event, -1, Integer::sum) >= 0) {
                stopped.stop(event);
                return Outcome.failed("not yet");
            }
            arrived.add(event);
            return Outcome.accepted();
        }

        @Override
        public int longestRun() {
            return LONGEST;
        }

        @Override
        public void close() {}
    }
}
