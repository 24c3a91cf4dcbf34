package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lost answers of one event while others go through, and of all of them. */
@Tag("exact")
class LostAnswersTest {

    private final RelayHarness harness = new RelayHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void anAnswerThatNeverComesIsNotChargedToAnEventThatIsAlone() {
        harness.config = harness.config.withPublishTimeout(Duration.ofMillis(200));
        AtomicInteger lost = new AtomicInteger(5);
        Event event = event("a", 1);
        RecordingTransport transport = RecordingTransport.accepting();
        harness.startRelay("r1", new DroppingPublisher(transport.publisher(), e -> lost.getAndDecrement() > 0));

        harness.emit(event);

        Await.until("it is published in the end", () -> harness.state(event).equals("SENT"));
        assertThat(attempts()).isZero();
        assertThat(lost.get()).isEqualTo(-1);
    }

    @Test
    void anAnswerThatNeverComesIsChargedToAnEventThatFailsAloneAndTheOthersAreNotHeldUp() {
        harness.config = harness.config.withPublishTimeout(Duration.ofMillis(300));
        Event poison = event("a", 1);
        RecordingTransport transport = RecordingTransport.accepting();
        Relay relay = harness.startRelay("r1", new DroppingPublisher(transport.publisher(), poison::equals));
        harness.emit(poison);

        for (int i = 0; !harness.state(poison).equals("FAILED"); i++) {
            assertThat(i).as("events of other keys").isLessThan(500);
            Event other = event("b" + i % 7, i);
            harness.emit(other);
            Await.until("the other one is published", () -> harness.state(other).equals("SENT"));
        }

        assertThat(harness.status(poison)).containsEntry("attempts", "4");
        assertThat(attempts()).isEqualTo(4);
        assertThat(relay.status().obstacle()).isEqualTo(RelayStatus.Obstacle.NONE);
    }

    @Test
    void aLostAnswerIsRetriedQuicklyWhateverThePolicySays() {
        harness.policy = harness.policy.withRetry(RetryPolicy.fixed(3, Duration.ofMinutes(10)));
        AtomicBoolean first = new AtomicBoolean(true);
        Event event = event("a", 1);
        RecordingTransport transport = RecordingTransport.answering(
                (sent, attempt) -> first.getAndSet(false) ? Outcome.unknown("connection reset") : Outcome.accepted());
        harness.startRelay("r1", transport.publisher());

        harness.emit(event);

        Await.until("it is published", () -> harness.state(event).equals("SENT"));
        assertThat(transport.calls().stream().map(RecordingTransport.Call::attempt))
                .containsExactly(1, 2);
        assertThat(attempts()).isZero();
    }

    @Test
    void brokenConnectionsOfAllKeysAreAnOutageAndChargedToNone() {
        harness.policy = harness.policy.withRetry(RetryPolicy.fixed());
        AtomicBoolean broken = new AtomicBoolean(true);
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> broken.get() ? Outcome.unknown("connection reset") : Outcome.accepted());
        Relay relay = harness.startRelay("r1", transport.publisher());
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            events.add(event("k" + i % 25, i));
        }
        events.forEach(harness::emit);

        Await.until(
                "the outage is named",
                () -> relay.status().obstacle() == RelayStatus.Obstacle.DESTINATION
                        && relay.status().outage().orElse("").contains("connection reset"));
        int calls = transport.calls().size();
        broken.set(false);

        Await.until(
                "all are published",
                () -> events.stream().allMatch(event -> harness.state(event).equals("SENT")));
        assertThat(attempts()).isZero();
        assertThat(calls).as("sent again during the outage").isLessThan(200);
        assertThat(relay.status().obstacle()).isEqualTo(RelayStatus.Obstacle.NONE);
    }

    @Test
    void anOutageBetweenTwoLostAnswersExplainsThem() {
        AtomicBoolean down = new AtomicBoolean();
        AtomicInteger lost = new AtomicInteger();
        Event unlucky = event("a", 1);
        RecordingTransport transport = RecordingTransport.answering((event, attempt) -> {
            if (down.get()) {
                return Outcome.unavailable("down");
            }
            boolean lose = event.equals(unlucky) && lost.get() < 2;
            down.set(lose && lost.getAndIncrement() == 0);
            return lose ? Outcome.unknown("connection reset") : Outcome.accepted();
        });
        Relay relay = harness.startRelay("r1", transport.publisher());

        harness.emit(unlucky);
        Await.until("the outage", () -> relay.status().obstacle() == RelayStatus.Obstacle.DESTINATION);
        for (int i = 0; i < 20; i++) {
            harness.emit(event("b" + i, i));
        }
        down.set(false);

        Await.until("all are published", () -> relay.status().totals().published() == 21);
        assertThat(lost.get()).isEqualTo(2);
        assertThat(relay.status().totals().failedAttempts()).isZero();
    }

    @Test
    void silenceIsNamedWithWhatIsInFlightAndEndsWithTheFirstAnswer() {
        harness.config = harness.config.withPublishTimeout(Duration.ofSeconds(2));
        AtomicBoolean silent = new AtomicBoolean(true);
        RecordingTransport transport = RecordingTransport.accepting();
        Relay relay = harness.startRelay("r1", new DroppingPublisher(transport.publisher(), event -> silent.get()));
        for (int i = 0; i < 10; i++) {
            harness.emit(event("k" + i, 1));
        }

        Await.until(
                "the silence is named",
                () -> relay.status().obstacle() == RelayStatus.Obstacle.DESTINATION
                        && relay.status().outage().orElse("").contains("silent: 10 publications are in flight"));
        silent.set(false);

        Await.until("all are published", () -> relay.status().totals().published() == 10);
        Await.until("nothing is in the way", () -> relay.status().obstacle() == RelayStatus.Obstacle.NONE);
        assertThat(relay.status().totals().failedAttempts()).isZero();
    }

    private static Event event(String key, long sequence) {
        return Event.of("payments", "moved").key(key).sequence(sequence).build();
    }

    private long attempts() {
        try {
            return Long.parseLong(harness.postgres
                    .rows("SELECT count(*) FROM posthorn.attempt")
                    .get(0));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
