package dev.posthorn.transports.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hub with 128 MB of memory. */
@Tag("slow")
class MemoryBoundTest extends IpcTests {

    @Test
    void announcedLengthsCostNothingUntilTheBytesCome() throws IOException {
        HubProcess process = closing(new HubProcess());
        process.host(folder());
        for (int i = 0; i < 100; i++) {
            RawClient client = closing(new RawClient(new Folder(folder()).socket(Folder.HUB)));
            client.greet();
            client.write(ByteBuffer.allocate(1_000)
                    .putInt(8 << 20)
                    .put(Frames.PUBLISH)
                    .position(1_000)
                    .flip());
        }
        IpcTransport bus = transport(config().shape(Shape.HUB));
        Inbound inbound = new Inbound();
        closing(bus.subscribe(Subscriber.named("billing"), inbound));

        List<Event> events = events(100, 10);
        assertThat(outcomes(bus, events)).containsOnly(Outcome.accepted());
        inbound.await(100);
    }

    @Test
    void aSubscriberThatStandsStillFillsItsQueueByBytesAndNoMore() {
        HubProcess process = closing(new HubProcess());
        process.host(folder());
        IpcTransport bus = transport(config().shape(Shape.HUB));
        bus.subscribe(Subscriber.named("gone"), delivery -> {}).close();

        int accepted = 0;
        for (int i = 0; i < 4; i++) {
            List<Event> large = IntStream.range(0, 25)
                    .mapToObj(any -> Event.of("orders", "Placed")
                            .payload(new byte[2 << 20], "application/octet-stream")
                            .build())
                    .toList();
            List<Outcome> outcomes = outcomes(bus, large);
            accepted +=
                    (int) outcomes.stream().filter(Outcome.accepted()::equals).count();
            assertThat(outcomes)
                    .allMatch(outcome -> outcome instanceof Outcome.Accepted || outcome instanceof Outcome.Unavailable);
        }

        assertThat(accepted).isEqualTo(31);
    }
}
