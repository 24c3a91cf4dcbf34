package dev.posthorn.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes into an envelope comes out of it: over random events, also as a broker carries them. */
class EnvelopeRoundTripTest {

    private final long seed = TestSize.seed();

    @ParameterizedTest
    @ValueSource(
            strings = {"posthorn", "cloudevents", "cloudevents-structured", "transfers", "aggregate", "attributes"})
    void anEventWithAnyJsonComesBackByteForByte(String name) {
        Envelope envelope = Envelopes.named(name, "shop");
        RandomEvents events = new RandomEvents(seed);
        for (int i = 0; i < TestSize.rounds(); i++) {
            Event event = events.withJson();
            assertThat(travelled(envelope, event))
                    .as("seed %d, event %d", seed, i)
                    .isEqualTo(event);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"posthorn", "cloudevents", "cloudevents-structured", "attributes"})
    void anEventWithAnyBytesComesBackByteForByte(String name) {
        Envelope envelope = Envelopes.named(name, "shop");
        RandomEvents events = new RandomEvents(seed);
        for (int i = 0; i < TestSize.rounds(); i++) {
            Event event = events.withBytes();
            assertThat(travelled(envelope, event))
                    .as("seed %d, event %d", seed, i)
                    .isEqualTo(event);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cloudevents-structured", "transfers", "aggregate"})
    void whatIsSealedIsOneJsonObject(String name) {
        Envelope envelope = Envelopes.named(name, "shop");
        RandomEvents events = new RandomEvents(seed);
        for (int i = 0; i < TestSize.rounds() / 10; i++) {
            Event sealed = envelope.seal(events.withJson());
            assertThat(JsonText.of(sealed.payloadBytes()).fields())
                    .as("seed %d, event %d", seed, i)
                    .isNotEmpty();
        }
    }

    private static Event travelled(Envelope envelope, Event event) {
        return envelope.open(EventMessage.read(EventMessage.of(envelope.seal(event))));
    }
}
