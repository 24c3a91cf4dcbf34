package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.claimcheck.ClaimCheckConfig;
import dev.posthorn.claimcheck.ClaimingPublisher;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is large in the log itself, because SQL wrote it, leaves the relay as a reference. */
class ClaimingPublisherTest {

    private final RelayHarness harness = new RelayHarness();
    private final ClaimScene scene = new ClaimScene(harness.postgres);
    private final RecordingTransport transport = RecordingTransport.accepting();

    @AfterEach
    void close() {
        harness.close();
    }

    private Publisher around(Publisher publisher) {
        return around(publisher, transport.capabilities());
    }

    private Publisher around(Publisher publisher, Capabilities capabilities) {
        return ClaimingPublisher.around(publisher, capabilities, scene.store, scene.register, ClaimCheckConfig.DEFAULT);
    }

    private static Capabilities carrying(long most) {
        return new Capabilities(true, true, true, false, false, most, Duration.ZERO);
    }

    @Test
    void theOrderOfAKeyStays() throws SQLException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            events.add(scene.of("key-" + i % 3, i % 4 == 0 ? ClaimScene.LARGE : 50));
        }
        for (Event event : events) {
            scene.insert(event);
        }

        harness.startRelay("r1", around(transport.publisher()));
        transport.awaitCalls(events.size());

        for (String key : List.of("key-0", "key-1", "key-2")) {
            assertThat(transport.events().stream()
                            .filter(event -> event.key().orElseThrow().equals(key))
                            .map(scene.check::fetch))
                    .containsExactlyElementsOf(events.stream()
                            .filter(event -> event.key().orElseThrow().equals(key))
                            .toList());
        }
        assertThat(transport.events())
                .allSatisfy(event -> assertThat(event.payloadSize()).isLessThan(1_000));
        transport.assertAtMostOneInFlightPerKey();
    }

    @Test
    void whatTheTransportCanNotCarryIsNeverSentWhole() throws SQLException {
        Event event = scene.of("a", 5_000);
        scene.insert(event);

        harness.startRelay("r1", around(transport.publisher(), carrying(4_999)));
        transport.awaitCalls(1);

        assertThat(transport.events().get(0).payloadSize()).isLessThan(1_000);
        assertThat(scene.check.fetch(transport.events().get(0))).isEqualTo(event);
    }

    @Test
    void aStoreThatIsDownIsAnOutageAndChargesNoEvent() throws SQLException {
        Event event = scene.large("a");
        scene.insert(event);
        scene.store.broken(true);
        var relay = harness.startRelay("r1", around(transport.publisher()));
        Await.until("the outage shows", () -> relay.status().outage().isPresent());

        scene.store.broken(false);
        transport.awaitCalls(1);

        Await.until("it is sent", () -> harness.state(event).equals("SENT"));
        assertThat(harness.status(event)).containsEntry("attempts", "1");
        assertThat(harness.rows("SELECT count(*) FROM posthorn.attempt")).containsExactly("0");
    }

    @Test
    void whatIsSmallDoesNotWaitForAnUpload() throws Exception {
        Event large = scene.large("a");
        Event behind = scene.of("a", 10);
        Event other = scene.of("b", 10);
        List<TrackedPublication> publications = TrackedPublication.firstOf(List.of(large, behind, other));
        try (Connection busy = harness.postgres.transaction();
                Publisher publisher = around(transport.publisher())) {
            // Given somebody who sweeps this payload, so that its registration waits
            TestPostgres.rows(
                    busy, "SELECT pg_advisory_xact_lock(posthorn.payload_lock('\\x" + ClaimScene.keyOf(large) + "'))");

            // When
            publisher.publish(publications);

            // Then
            assertThat(publications.get(2).awaitOutcome()).isEqualTo(Outcome.accepted());
            assertThat(publications.get(0).isSettled()).isFalse();
            busy.rollback();
            assertThat(publications.get(1).awaitOutcome()).isEqualTo(Outcome.accepted());
        }
        assertThat(transport.events()).extracting(Event::id).containsExactly(other.id(), large.id(), behind.id());
    }

    @Test
    void ifOneOfARunCanNotBeKeptAllOfItIsUnavailableInItsOrder() {
        List<TrackedPublication> run =
                TrackedPublication.firstOf(List.of(scene.of("a", 10), scene.large("a"), scene.of("a", 10)));
        scene.store.broken(true);

        try (Publisher publisher = around(transport.publisher())) {
            publisher.publish(run);
            run.forEach(TrackedPublication::awaitOutcome);
        }

        assertThat(run)
                .allSatisfy(
                        one -> assertThat(one.settlements()).singleElement().isInstanceOf(Outcome.Unavailable.class));
        assertThat(transport.events()).isEmpty();
    }

    @Test
    void whatIsUnderWayAtTheEndIsSettledOnce() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            events.add(scene.large("key-" + i));
        }
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        Publisher publisher = around(transport.publisher());
        publisher.publish(publications);

        publisher.close();
        publisher.publish(publications.subList(0, 0));

        Await.until("all are settled", () -> publications.stream().allMatch(TrackedPublication::isSettled));
        assertThat(publications).allSatisfy(one -> assertThat(one.settlements()).hasSize(1));
    }

    @Test
    void aPublisherThatKeepsRunsKeepsThemHereToo() {
        Publisher withRuns = new Publisher() {
            @Override
            public void publish(List<? extends Publication> publications) {
                publications.forEach(publication -> publication.settle(Outcome.accepted()));
            }

            @Override
            public int longestRun() {
                return 77;
            }

            @Override
            public void close() {}
        };

        try (Publisher publisher = around(withRuns)) {
            assertThat(publisher.longestRun()).isEqualTo(77);
        }
    }
}
