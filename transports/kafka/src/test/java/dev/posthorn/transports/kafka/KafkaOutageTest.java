package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whether an event may have arrived is told by what really left for the broker. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
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

    @Test
    void whatLeftForABrokerThatDoesNotAnswerIsUnknown() {
        broker.freeze();

        TrackedPublication sent = new TrackedPublication(Published.event("orders", "k"), 1);
        publisher.publish(List.of(sent));
        Outcome outcome = sent.awaitOutcome();
        broker.thaw();

        assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
        assertThat(sent.settlements()).hasSize(1);
    }
}
