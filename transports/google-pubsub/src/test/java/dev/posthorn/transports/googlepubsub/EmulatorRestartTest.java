package dev.posthorn.transports.googlepubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An emulator that is killed forgets everything, which Pub/Sub does not; developers' machines must get over it all the same. */
@Tag("slow")
@Tag("exact")
class EmulatorRestartTest extends PubSubTests {

    @Test
    void afterAnEmulatorForgotEverythingItIsMadeAgainAndEventsFlow() {
        GooglePubSubTransport transport = open(config());
        Inbound inbound = new Inbound();
        Subscription subscription = transport.subscribe(BILLING, inbound);
        PatientPublisher publisher = closing(new PatientPublisher(transport.publisher()));
        publisher.publish(events(500, 10));
        Await.until(() -> publisher.left() + " left", () -> publisher.left() < 400);

        broker.emulator().kill();
        broker.emulator().startAgain();

        Await.within(Duration.ofSeconds(90), () -> publisher.left() + " not accepted", () -> publisher.left() == 0);
        assertThat(publisher.answers(Outcome.Failed.class)
                        + publisher.answers(Outcome.Refused.class)
                        + publisher.answers(Outcome.Unknown.class))
                .as("outcomes that blame an event for the emulator's death")
                .isZero();
        Await.within(
                Duration.ofSeconds(90),
                () -> "the subscription to be there again: " + subscription.status(),
                () -> subscription.status().trouble().isEmpty());
        List<Event> after = events(20, 5);
        publish(transport, after);
        Await.until(
                () -> "what came afterwards, so far " + inbound.count(),
                () -> inbound.first().containsAll(after));
    }
}
