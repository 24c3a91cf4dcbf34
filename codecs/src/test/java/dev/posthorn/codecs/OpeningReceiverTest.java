package dev.posthorn.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import dev.posthorn.transports.memory.MemoryTransport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpeningReceiverTest {

    private final List<Object> got = new ArrayList<>();
    private final List<Verdict> settled = new ArrayList<>();
    private final Receiver handler = new Receiver() {
        @Override
        public void receive(Delivery delivery) {
            got.add(delivery.event());
            delivery.settle(Verdict.done());
        }

        @Override
        public void undecodable(RawDelivery raw) {
            got.add(raw.reason());
            raw.settle(Verdict.reject(raw.reason()));
        }
    };

    @Test
    void everyEnvelopeOnAWireIsKnownByItself() {
        List<Event> events = new ArrayList<>();
        List<Event> onTheWire = new ArrayList<>();
        RandomEvents random = new RandomEvents(TestSize.seed());
        for (String name : Envelopes.NAMES) {
            Publisher publisher =
                    Envelopes.around(MemoryTransport.direct(onTheWire::add).publisher(), Envelopes.named(name, "shop"));
            Event event = random.withJson();
            TrackedPublication publication = new TrackedPublication(event, 1);
            publisher.publish(List.of(publication));
            assertThat(publication.awaitOutcome()).isEqualTo(Outcome.accepted());
            events.add(event);
        }

        Receiver receiver = all(Subscriber.named("all"));
        onTheWire.forEach(event -> receiver.receive(new Came(event, settled)));

        assertThat(got).isEqualTo(events);
        assertThat(settled).hasSize(events.size()).containsOnly(Verdict.done());
    }

    @Test
    void aBareBodyOfAnotherProducerIsHandledLikeAnyEvent() {
        String body = "{\"envelope\":{\"eventId\":\"0198c5a8-0000-7000-8000-000000000001\",\"occurredAt\":"
                + "\"2025-08-26T10:15:01.5+00:00\",\"type\":\"directory.route.updated\"},\"key\":{},\"payload\":1}";

        all(Subscriber.named("all")).undecodable(raw(body));

        assertThat(got).hasSize(1);
        assertThat(((Event) got.get(0)).domain()).isEqualTo("directory");
        assertThat(settled).containsExactly(Verdict.done());
    }

    @Test
    void whatASubscriberDoesNotWantIsDone() {
        String body = "{\"envelope\":{\"eventId\":\"0198c5a8-0000-7000-8000-000000000001\",\"occurredAt\":"
                + "\"2025-08-26T10:15:01Z\",\"type\":\"directory.route.updated\"},\"key\":{},\"payload\":1}";

        all(Subscriber.named("some").domains("transfers")).undecodable(raw(body));

        assertThat(got).isEmpty();
        assertThat(settled).containsExactly(Verdict.done());
    }

    @Test
    void badInputGoesTheWayOfTheUndecodableWithItsReason() {
        all(Subscriber.named("all")).undecodable(raw("{\"event_id\":\"1\",\"event_type\":\"x\",\"payload\":1}"));
        all(Subscriber.named("all")).undecodable(raw("nothing"));

        assertThat(got)
                .containsExactly(
                        "envelope aggregate: at byte 12 (line 1, column 13): the field /event_id is no UUID",
                        "no headers");
        assertThat(settled).allMatch(Verdict.Reject.class::isInstance);
    }

    @Test
    void aSealedEventThatWasDamagedIsUndecodable() {
        Event damaged = new TransfersEnvelope()
                .seal(Event.of("transfers", "x").json("{}").build())
                .withPayload("{\"envelope\":".getBytes(StandardCharsets.UTF_8), "application/json");

        all(Subscriber.named("all")).receive(new Came(damaged, settled));

        assertThat(got).containsExactly("envelope transfers: at byte 12 (line 1, column 13): the text ends too early");
    }

    private Receiver all(Subscriber subscriber) {
        return new OpeningReceiver(
                subscriber,
                handler,
                Envelopes.NAMES.stream()
                        .map(name -> Envelopes.named(name, "shop"))
                        .toList());
    }

    private RawDelivery raw(String body) {
        return new CameRaw(new Message(Map.of(), body.getBytes(StandardCharsets.UTF_8)), settled);
    }

    private record Came(Event event, List<Verdict> verdicts) implements Delivery {

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of();
        }

        @Override
        public void settle(Verdict verdict) {
            verdicts.add(verdict);
        }
    }

    private record CameRaw(Message message, List<Verdict> verdicts) implements RawDelivery {

        @Override
        public String reason() {
            return "no headers";
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of();
        }

        @Override
        public void settle(Verdict verdict) {
            verdicts.add(verdict);
        }
    }
}
