package dev.posthorn.transports.snssqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Amazon accepts what it has seen within five minutes, and delivers it to nobody. */
@Tag("slow")
@Tag("exact")
class DeduplicationTest extends SnsSqsTests {

    @Test
    void anEventThatIsPublishedAgainIsAcceptedAndNotDelivered() {
        SnsSqsTransport transport = transport();
        Inbound inbound = new Inbound();
        closing(transport.subscribe(BILLING, inbound));
        Event event = event("k");
        publish(transport, event);

        assertThat(outcomes(transport, List.of(event))).containsExactly(Outcome.accepted());

        Event next = event("k");
        publish(transport, next);
        inbound.await(2);
        assertThat(inbound.events()).containsExactly(event, next);
    }

    @Test
    void anEventThatIsRedrivenIsDeliveredAgainEachTime() {
        SnsSqsTransport transport = transport();
        Inbound inbound = new Inbound();
        closing(transport.subscribe(BILLING, inbound));
        Event event = event("k");
        publish(transport, event);

        assertThat(redrive(transport, event)).isEqualTo(Outcome.accepted());
        assertThat(redrive(transport, event)).isEqualTo(Outcome.accepted());

        inbound.await(3);
        assertThat(inbound.events()).containsExactly(event, event, event);
    }

    private static Outcome redrive(SnsSqsTransport transport, Event event) {
        TrackedPublication publication = new TrackedPublication(event, 1);
        try (Publisher publisher = transport.publisher()) {
            publisher.publish(List.of(new Redriven(publication)));
            return publication.awaitOutcome();
        }
    }

    @Test
    void aReplayDeliversAnEventOnceMoreAndNotTwice() {
        SnsSqsTransport transport = transport();
        Inbound inbound = new Inbound();
        closing(transport.subscribe(BILLING, inbound));
        Event event = event("k");
        Event replayed = event.withHeader("replay", "replay-1");
        Event replayedLater = event.withHeader("replay", "replay-2");

        publish(transport, event, replayed, replayed, replayedLater);

        Event last = event("k");
        publish(transport, last);
        inbound.await(4);
        assertThat(inbound.events()).containsExactly(event, replayed, replayedLater, last);
    }
}
