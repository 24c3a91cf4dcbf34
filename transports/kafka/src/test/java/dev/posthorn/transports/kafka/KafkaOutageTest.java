package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An attempt is charged to no event for what a broker does to all of them. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("exact")
class KafkaOutageTest {

    private final KafkaBroker broker = KafkaBroker.started();
    private final KafkaTransport transport = broker.config(Published.newPrefix())
            .answerTime(Duration.ofSeconds(2))
            .build();
    private final Publisher publisher = transport.publisher();

    @BeforeEach
    void publishOnce() {
        Await.until(
                "the first event to go through",
                () -> Published.by(publisher, Published.event("orders", "k")).equals(Outcome.accepted()));
    }

    @AfterAll
    void close() {
        transport.close();
        broker.close();
    }

    @Test
    void aPublisherIsClosedInTimeWhileTheBrokerDoesNotAnswer() throws Exception {
        Publisher leaving = transport.publisher();
        Await.until(
                "an event to go through",
                () -> Published.by(leaving, Published.event("orders", "k")).equals(Outcome.accepted()));
        broker.freeze();
        TrackedPublication left = new TrackedPublication(Published.event("orders", "k"), 1);
        leaving.publish(List.of(left));

        CompletableFuture<Void> closing = CompletableFuture.runAsync(leaving::close);

        assertThat(closing).succeedsWithin(Duration.ofSeconds(30));
        broker.thaw();
        assertThat(left.awaitOutcome()).isNotInstanceOf(Outcome.Accepted.class);
    }

    @Test
    void whileTheBrokerIsDownNothingIsUnknownBecauseNothingLeft() {
        broker.kill();
        List<Outcome> outcomes = new ArrayList<>();

        for (int round = 0; round < 5; round++) {
            outcomes.addAll(Published.by(publisher, Published.events(20, 20)));
        }

        assertThat(outcomes).allMatch(Outcome.Unavailable.class::isInstance, "unavailable");
        broker.start();
        Await.until(
                "events to go through again",
                () -> Published.by(publisher, Published.event("orders", "k")).equals(Outcome.accepted()));
    }

    /** As a broker that takes long to start: it listens, and says nothing for longer than a record may wait. */
    @Test
    void whatWasLostWithItsConnectionIsNotUnknownAlthoughAnotherConnectionStands() throws Exception {
        broker.freeze();
        TrackedPublication sent = new TrackedPublication(Published.event("orders", "k"), 1);
        double before = leftSoFar();
        publisher.publish(List.of(sent));
        Await.until("the event to leave", () -> leftSoFar() > before);

        broker.kill();
        Outcome outcome;
        try (ServerSocket silent = new ServerSocket()) {
            silent.setReuseAddress(true);
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), broker.port()));
            outcome = sent.awaitOutcome();
        }
        broker.start();

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        assertThat(sent.settlements()).hasSize(1);
    }

    private double leftSoFar() {
        var producer =
                Objects.requireNonNull(((KafkaPublisher) publisher).sender().inUse());
        return producer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("record-send-total")
                        && metric.getKey().group().equals("producer-metrics"))
                .mapToDouble(metric -> (double) metric.getValue().metricValue())
                .sum();
    }

    /** Its producer ends the connection after half of the time and connects again, so it is known not to be the event. */
    @Test
    void whatLeftForABrokerThatDoesNotAnswerIsNotUnknownEither() {
        broker.freeze();

        TrackedPublication sent = new TrackedPublication(Published.event("orders", "k"), 1);
        publisher.publish(List.of(sent));
        Outcome outcome = sent.awaitOutcome();
        broker.thaw();

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        assertThat(sent.settlements()).hasSize(1);
    }
}
