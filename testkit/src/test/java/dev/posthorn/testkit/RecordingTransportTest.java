package dev.posthorn.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingTransportTest {

    private final Event first = Event.of("orders", "Placed").key("a").build();
    private final Event second = Event.of("orders", "Paid").key("a").build();

    @Test
    void theAnswerMayDependOnEventAndAttempt() {
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> attempt < 2 ? Outcome.failed("not yet") : Outcome.accepted());
        TrackedPublication try1 = new TrackedPublication(first, 1);
        TrackedPublication try2 = new TrackedPublication(first, 2);

        transport.publisher().publish(List.of(try1));
        transport.publisher().publish(List.of(try2));

        assertThat(try1.settlements()).containsExactly(Outcome.failed("not yet"));
        assertThat(try2.settlements()).containsExactly(Outcome.accepted());
        assertThat(transport.callsOf(first.id())).isEqualTo(2);
        assertThat(transport.calls())
                .containsExactly(
                        new RecordingTransport.Call(first, 1, false), new RecordingTransport.Call(first, 2, false));
    }

    @Test
    void whatIsHeldIsSettledOldestFirstWhenReleased() {
        RecordingTransport transport = RecordingTransport.holding((event, attempt) -> Outcome.accepted());
        List<TrackedPublication> both = TrackedPublication.firstOf(List.of(first, second));
        transport.publisher().publish(both);

        int released = transport.release(1);

        assertThat(released).isEqualTo(1);
        assertThat(both).extracting(TrackedPublication::isSettled).containsExactly(true, false);
        assertThat(transport.held()).isEqualTo(1);
    }

    @Test
    void closingAPublisherSettlesOnlyWhatItHasInFlight() {
        RecordingTransport transport = RecordingTransport.holding((event, attempt) -> Outcome.accepted());
        TrackedPublication mine = new TrackedPublication(first, 1);
        TrackedPublication another = new TrackedPublication(second, 1);
        Publisher closing = transport.publisher();
        closing.publish(List.of(mine));
        transport.publisher().publish(List.of(another));

        closing.close();

        assertThat(mine.settlements()).hasSize(1).first().isInstanceOf(Outcome.Unavailable.class);
        assertThat(another.isSettled()).isFalse();
    }

    @Test
    void twoEventsOfAKeyInFlightAtOnceAreNoticed() {
        RecordingTransport transport = RecordingTransport.holding((event, attempt) -> Outcome.accepted());

        transport.publisher().publish(TrackedPublication.firstOf(List.of(first, second)));

        assertThatThrownBy(transport::assertAtMostOneInFlightPerKey)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(second.id().toString());
    }

    @Test
    void oneEventOfAKeyAfterTheOtherIsFine() {
        RecordingTransport transport = RecordingTransport.holding((event, attempt) -> Outcome.accepted());
        Publisher publisher = transport.publisher();

        publisher.publish(TrackedPublication.firstOf(List.of(first)));
        transport.release();
        publisher.publish(TrackedPublication.firstOf(List.of(second)));

        transport.assertAtMostOneInFlightPerKey();
        assertThat(transport.events()).containsExactly(first, second);
    }
}
