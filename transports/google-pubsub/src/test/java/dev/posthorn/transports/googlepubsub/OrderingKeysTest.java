package dev.posthorn.transports.googlepubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What publishers do with keys, and with what fails. */
@Tag("slow")
@Tag("exact")
class OrderingKeysTest extends PubSubTests {

    @Test
    void theKeyIsTheOrderingKeyAndWithoutOneThereIsNone() {
        String watched = watch(eventsTopic());
        Event keyless = Event.of("orders", "Placed").build();

        publish(open(config()), List.of(event("customer-1"), keyless));

        assertThat(arrivedAt(watched, 2))
                .extracting(PubsubMessage::getOrderingKey)
                .containsExactlyInAnyOrder("customer-1", "");
    }

    @Test
    void aRequestHasMessagesOfOneKeyOnlyForMoreIsNotAllowed() throws InvalidProtocolBufferException {
        Interposer interposer = interposed();

        publish(open(through(interposer)), events(60, 3));

        List<PublishRequest> requests = requests(interposer);
        assertThat(requests)
                .allSatisfy(request -> assertThat(request.getMessagesList().stream()
                                .map(PubsubMessage::getOrderingKey)
                                .distinct())
                        .hasSize(1));
        assertThat(requests).as("one for each key, not one for each event").hasSizeLessThan(10);
    }

    @Test
    void afterAFailedPublishTheKeyIsNotPausedAndTheRetryGoesOutInOrder() {
        String watched = watch(eventsTopic());
        Interposer interposer = interposed();
        Publisher publisher = closing(open(through(interposer)).publisher());
        Event first = event("k");
        Event second = event("k");
        interposer.failing("Publish", Status.UNAVAILABLE.withDescription("failed by the test"));
        assertThat(outcomes(publisher, List.of(first)).get(0)).isInstanceOf(Outcome.Unavailable.class);

        interposer.letThrough();
        List<Outcome> retried = outcomes(publisher, List.of(first, second));

        assertThat(retried).containsOnly(Outcome.accepted());
        assertThat(arrivedAt(watched, 2).stream().map(PubSubTests::read)).containsExactly(first, second);
    }

    @Test
    void nothingOfAKeyIsSentBehindOneThatFailed() throws InvalidProtocolBufferException {
        Interposer interposer = interposed();
        Publisher publisher = closing(open(through(interposer)).publisher());
        assertThat(outcomes(publisher, List.of(event("k")))).containsOnly(Outcome.accepted());
        List<Event> run = List.of(event("k"), event("k"), event("k"));
        interposer.failing("Publish", Status.ABORTED);

        List<Outcome> outcomes = outcomes(publisher, run);

        assertThat(outcomes).allMatch(Outcome.Unavailable.class::isInstance);
        assertThat(requests(interposer)).as("requests, with the first one").hasSize(2);
    }

    @Test
    void aRefusedOneInTheMiddleOfARunStopsWhatIsBehindItAndIsFound() {
        String watched = watch(eventsTopic());
        Interposer interposer = interposed();
        Publisher publisher = closing(open(through(interposer)).publisher());
        List<Event> run = events(4, 1);
        interposer.failing(call -> call.name().equals("Publish")
                        && parse(call).getMessagesList().stream()
                                .anyMatch(message ->
                                        read(message).id().equals(run.get(2).id()))
                ? Optional.of(Status.INVALID_ARGUMENT)
                : Optional.empty());

        List<Outcome> outcomes = outcomes(publisher, run);

        assertThat(outcomes.subList(0, 2)).containsOnly(Outcome.accepted());
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Failed.class);
        assertThat(arrivedAt(watched, 2).stream().map(PubSubTests::read)).isEqualTo(run.subList(0, 2));
    }

    @Test
    void oneThatIsTooLargeIsRefusedAfterThoseBeforeItAndStopsThoseBehindIt() {
        Publisher publisher = closing(open(config().maxMessageBytes(100)).publisher());
        Event large = Event.of("orders", "Placed")
                .key("k")
                .payload(new byte[101], "text/plain")
                .build();

        List<Outcome> outcomes = outcomes(publisher, List.of(event("k"), large, event("k"), event("other")));

        assertThat(outcomes.get(0)).isEqualTo(Outcome.accepted());
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Failed.class);
        assertThat(outcomes.get(3)).isEqualTo(Outcome.accepted());
        assertThat(outcomes(publisher, List.of(event("k")))).containsOnly(Outcome.accepted());
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"PERMISSION_DENIED", "UNAUTHENTICATED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "UNAVAILABLE"
            })
    void whatIsNotTheEventsFaultIsUnavailable(Status.Code code) {
        Interposer interposer = interposed();
        interposer.failing("Publish", code.toStatus().withDescription("said by the test"));

        List<Outcome> outcomes = outcomes(open(through(interposer)), List.of(event("k")));

        assertThat(outcomes.get(0))
                .isInstanceOf(Outcome.Unavailable.class)
                .asString()
                .contains(eventsTopic(), code.name(), "said by the test");
    }

    @Test
    void anErrorInsideOfPubSubIsUnknownForItMayHaveArrived() {
        Interposer interposer = interposed();
        interposer.failing("Publish", Status.INTERNAL);

        assertThat(outcomes(open(through(interposer)), List.of(event("k"))).get(0))
                .isInstanceOf(Outcome.Unknown.class);
    }

    private List<PubsubMessage> arrivedAt(String subscription, int count) {
        List<PubsubMessage> arrived = new ArrayList<>();
        Await.until(() -> count + " messages, so far " + arrived.size(), () -> {
            admin.take(subscription).forEach(message -> arrived.add(message.getMessage()));
            return arrived.size() >= count;
        });
        return arrived;
    }

    private static List<PublishRequest> requests(Interposer interposer) throws InvalidProtocolBufferException {
        List<PublishRequest> requests = new ArrayList<>();
        for (Interposer.Call call : interposer.calls("Publish")) {
            requests.add(PublishRequest.parseFrom(call.request()));
        }
        return requests;
    }

    private static PublishRequest parse(Interposer.Call call) {
        try {
            return PublishRequest.parseFrom(call.request());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }
}
