package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of events that do not go through. */
@Tag("exact")
class RelayTroubleTest {

    private final RelayHarness harness = harness();

    RelayHarness harness() {
        return new RelayHarness();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void aFailedEventIsRetriedInPlaceAndItsKeyWaitsWhileOthersFlow() {
        AtomicBoolean broken = new AtomicBoolean(true);
        Event first = event("a", 1);
        Event second = event("a", 2);
        Event other = event("b", 1);
        harness.policy = harness.policy.withRetry(RetryPolicy.fixed(1_000, Duration.ofMillis(50)));
        RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
                broken.get() && event.equals(first) ? Outcome.failed("no route") : Outcome.accepted());
        harness.startRelay("r1", transport.publisher());

        harness.emit(first, second);
        Await.until("the first is retrying", () -> harness.state(first).equals("RETRYING"));
        harness.emit(other);

        Await.until("the other key is published", () -> harness.state(other).equals("SENT"));
        assertThat(harness.state(second)).isEqualTo("PARKED");
        assertThat(transport.callsOf(second.id())).isZero();
        assertThat(harness.status(first)).containsEntry("last_error", "no route");

        broken.set(false);
        Await.until("the key has healed", () -> harness.state(second).equals("SENT"));
        assertThat(acceptedOf(transport, "a", first)).containsExactly(first, second);
        Await.until("nothing waits any more", () -> count("posthorn.blocked_key") == 0);
        Event third = event("a", 3);
        harness.emit(third);
        Await.until("the key flows as before", () -> harness.state(third).equals("SENT"));
        assertThat(count("posthorn.blocked_key")).isZero();
    }

    @Test
    void nAttemptsAreExactlyNPublishCallsAndThenTheKeyContinues() {
        Event poison = event("a", 1);
        Event next = event("a", 2);
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> event.equals(poison) ? Outcome.failed("broken for good") : Outcome.accepted());
        harness.startRelay("r1", transport.publisher());

        harness.emit(poison, next);

        Await.until("the next is published", () -> harness.state(next).equals("SENT"));
        assertThat(transport.callsOf(poison.id())).isEqualTo(4);
        assertThat(harness.status(poison))
                .containsEntry("state", "FAILED")
                .containsEntry("attempts", "4")
                .containsEntry("last_error", "broken for good");
        assertThat(count("posthorn.attempt")).isEqualTo(4);
    }

    @Test
    void aRefusedEventFailsAtOnce() {
        Event poison = event("a", 1);
        RecordingTransport transport = RecordingTransport.answering((event, attempt) -> Outcome.refused("too large"));
        harness.startRelay("r1", transport.publisher());

        harness.emit(poison);

        Await.until("it is FAILED", () -> harness.state(poison).equals("FAILED"));
        assertThat(transport.callsOf(poison.id())).isEqualTo(1);
    }

    @Test
    void aPolicyOfTheEventsTypeWins() {
        Event often = event("a", 1);
        Event once = Event.of("payments", "fragile").key("b").build();
        harness.policy = new RoutePolicy(
                RetryPolicy.fixed(3, Duration.ofMillis(10)),
                Map.of("fragile", RetryPolicy.fixed(1, Duration.ofMillis(10))),
                AfterDead.CONTINUE);
        RecordingTransport transport = RecordingTransport.answering((event, attempt) -> Outcome.failed("no"));
        harness.startRelay("r1", transport.publisher());

        harness.emit(often, once);

        Await.until(
                "both are FAILED",
                () -> harness.state(often).equals("FAILED")
                        && harness.state(once).equals("FAILED"));
        assertThat(transport.callsOf(often.id())).isEqualTo(3);
        assertThat(transport.callsOf(once.id())).isEqualTo(1);
    }

    @Test
    void aHeldKeyWaitsUntilItsDeadEventIsRedrivenInPlace() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean(true);
        Event poison = event("a", 1);
        Event next = event("a", 2);
        Event last = event("a", 3);
        harness.policy = harness.policy.withAfterDead(AfterDead.HOLD);
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> broken.get() && event.equals(poison) ? Outcome.refused("bad") : Outcome.accepted());
        harness.startRelay("r1", transport.publisher());
        harness.emit(poison, next);
        Await.until("it is FAILED", () -> harness.state(poison).equals("FAILED"));
        harness.emit(last);
        Await.until("the last is parked", () -> harness.state(last).equals("PARKED"));
        assertThat(transport.callsOf(next.id())).isZero();

        broken.set(false);
        harness.postgres.rows("SELECT posthorn.redrive('main', '" + poison.id() + "', 'fixed')");

        Await.until("the key has caught up", () -> harness.state(last).equals("SENT"));
        assertThat(acceptedOf(transport, "a", poison)).containsExactly(poison, next, last);
        assertThat(harness.state(poison)).isEqualTo("SENT");
        assertThat(redriven(transport)).containsExactly(poison.id());
    }

    @Test
    void aHeldKeyGoesOnWithoutADeadEventThatIsDiscarded() throws SQLException {
        Event poison = event("a", 1);
        Event next = event("a", 2);
        harness.policy = harness.policy.withAfterDead(AfterDead.HOLD);
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> event.equals(poison) ? Outcome.refused("bad") : Outcome.accepted());
        harness.startRelay("r1", transport.publisher());
        harness.emit(poison, next);
        Await.until("it is FAILED", () -> harness.state(poison).equals("FAILED"));

        harness.postgres.rows("SELECT posthorn.discard('main', '" + poison.id() + "', 'not needed')");

        Await.until("the next is published", () -> harness.state(next).equals("SENT"));
        assertThat(transport.callsOf(poison.id())).isEqualTo(1);
    }

    @Test
    void aRedriveAfterTheKeyMovedOnIsPublishedOutOfOrder() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean(true);
        Event poison = event("a", 1);
        Event next = event("a", 2);
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> broken.get() && event.equals(poison) ? Outcome.refused("bad") : Outcome.accepted());
        harness.startRelay("r1", transport.publisher());
        harness.emit(poison, next);
        Await.until("the next is published", () -> harness.state(next).equals("SENT"));

        broken.set(false);
        harness.postgres.rows("SELECT posthorn.redrive('main', '" + poison.id() + "', 'fixed')");

        Await.until("it is published", () -> harness.state(poison).equals("SENT"));
        assertThat(transport.callsOf(poison.id())).isEqualTo(2);
        assertThat(redriven(transport)).containsExactly(poison.id());
    }

    /** The transport is told, so that a broker that recognises repeated events does not swallow it. */
    private static List<UUID> redriven(RecordingTransport transport) {
        return transport.calls().stream()
                .filter(RecordingTransport.Call::redriven)
                .map(call -> call.event().id())
                .toList();
    }

    @Test
    void anOutageChargesNoAttemptAndEverythingDrainsAfterIt() {
        AtomicBoolean down = new AtomicBoolean(true);
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> down.get() ? Outcome.unavailable("connection refused") : Outcome.accepted());
        Relay relay = harness.startRelay("r1", transport.publisher());
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            events.add(event("k" + i % 50, i));
        }
        harness.emit(events);

        Await.until("the breaker is open", () -> relay.status().outage().isPresent());
        int calls = transport.calls().size();
        Await.until("it has probed several times", () -> transport.calls().size() >= calls + 3);
        assertThat(relay.status().outage()).contains("connection refused");
        assertThat(count("posthorn.attempt")).isZero();
        assertThat(count("posthorn.detour")).isZero();

        down.set(false);
        Await.until(
                "everything is published",
                () -> harness.state(events.get(1_999)).equals("SENT")
                        && relay.status().totals().published() >= 2_000);
        assertThat(count("posthorn.attempt")).isZero();
        assertThat(count("posthorn.detour")).isZero();
        assertThat(relay.status().outage()).isEmpty();
        assertThat(harness.status(events.get(0))).containsEntry("state", "SENT").containsEntry("attempts", "1");
    }

    @Test
    void tooManyBlockedKeysCountAsAnOutage() {
        AtomicBoolean broken = new AtomicBoolean(true);
        harness.config = harness.config.withMaxBlockedKeys(3);
        harness.policy = harness.policy.withRetry(RetryPolicy.fixed(1_000, Duration.ofMillis(20)));
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> broken.get() ? Outcome.failed("every one fails") : Outcome.accepted());
        Relay relay = harness.startRelay("r1", transport.publisher());
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            events.add(event("k" + i, 1));
        }
        harness.emit(events);

        Await.until("the breaker is open", () -> relay.status().outage().isPresent());

        broken.set(false);
        Await.until("everything is published", () -> relay.status().totals().published() >= 400);
        Await.until("nothing waits", () -> count("posthorn.blocked_key") == 0);
        assertThat(count("posthorn.detour")).isZero();
    }

    @Test
    void eventsWithoutAKeyHoldNobodyUp() {
        Event poison = Event.of("audit", "noted").json("{}").build();
        Event fine = Event.of("audit", "noted").json("{}").build();
        RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
                event.equals(poison) && attempt < 3 ? Outcome.failed("not yet") : Outcome.accepted());
        harness.startRelay("r1", transport.publisher());

        harness.emit(poison, fine);

        Await.until(
                "both are published",
                () -> harness.state(poison).equals("SENT")
                        && harness.state(fine).equals("SENT"));
        assertThat(transport.callsOf(poison.id())).isEqualTo(3);
        Await.until("nothing is left", () -> count("posthorn.detour") == 0);
    }

    @Test
    void aDeliverAfterEventWaitsForItsTimeAndHoldsNobodyUp() {
        Event later = Event.of("payments", "reminder")
                .key("a")
                .deliverAfter(Instant.now().plusMillis(1_500))
                .build();
        Event now = event("a", 2);
        RecordingTransport transport = RecordingTransport.accepting();
        harness.startRelay("r1", transport.publisher());

        harness.emit(later, now);

        Await.until("the key goes on", () -> harness.state(now).equals("SENT"));
        assertThat(harness.state(later)).isEqualTo("DELAYED");
        assertThat(transport.callsOf(later.id())).isZero();
        Await.until("it is published when due", () -> harness.state(later).equals("SENT"));
        assertThat(transport.callsOf(later.id())).isEqualTo(1);
    }

    @Test
    void aLargePayloadIsFetchedOnlyToBePublished() {
        byte[] large = new byte[1_000_000];
        java.util.Arrays.fill(large, (byte) 0xFF);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            events.add(Event.of("files", "stored")
                    .key("k" + i % 3)
                    .sequence(i)
                    .payload(large, "application/octet-stream")
                    .build());
        }
        RecordingTransport transport = RecordingTransport.accepting();
        harness.startRelay("r1", transport.publisher());

        events.forEach(harness::emit);
        transport.awaitCalls(40);

        assertThat(transport.events()).containsExactlyInAnyOrderElementsOf(events);
        transport.assertAtMostOneInFlightPerKey();
    }

    private static List<Event> acceptedOf(RecordingTransport transport, String key, Event onceBroken) {
        List<Event> last = new ArrayList<>();
        for (Event event : transport.events()) {
            if (event.key().orElseThrow().equals(key)) {
                if (event.equals(onceBroken)) {
                    last.remove(event);
                }
                last.add(event);
            }
        }
        return last;
    }

    private static Event event(String key, long sequence) {
        return Event.of("payments", "moved")
                .key(key)
                .sequence(sequence)
                .json("{\"n\":" + sequence + "}")
                .build();
    }

    private int count(String table) {
        try {
            return Integer.parseInt(
                    harness.postgres.rows("SELECT count(*) FROM " + table).get(0));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
