package dev.posthorn.transports.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Neither threads nor descriptors are left behind. */
@Tag("slow")
class LeaksTest extends IpcTests {

    private static long descriptors() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("posthorn-"))
                .count();
    }

    private void openUseAndClose(Shape shape) {
        try (IpcTransport bus = new IpcTransport(config().shape(shape))) {
            Inbound inbound = new Inbound();
            bus.subscribe(Subscriber.named("billing"), inbound);
            assertThat(outcomes(bus, events(3, 3))).containsOnly(Outcome.accepted());
            inbound.await(3);
        }
    }

    @Test
    void transportsAndHubsLeaveNothingBehind() {
        openUseAndClose(Shape.FIRST_HOSTS);
        openUseAndClose(Shape.PEERS);
        long before = descriptors();

        for (int i = 0; i < 30; i++) {
            openUseAndClose(i % 2 == 0 ? Shape.FIRST_HOSTS : Shape.PEERS);
        }

        Await.until(() -> "threads to end: " + threads(), () -> threads() == 0);
        awaitAtMost(before);
    }

    @Test
    void lostConnectionsLeaveNothingBehind() {
        IpcTransport bus = transport(config().shape(Shape.HUB));
        Inbound inbound = new Inbound();
        closing(bus.subscribe(Subscriber.named("billing"), inbound));
        PatientPublisher publisher = closing(new PatientPublisher(bus.publisher()));
        useAHub(publisher, inbound);
        long descriptors = descriptors();
        long threads = threads();

        for (int i = 0; i < 30; i++) {
            useAHub(publisher, inbound);
        }

        awaitAtMost(descriptors);
        Await.until(() -> "threads to end: " + threads(), () -> threads() <= threads);
    }

    /** The other end of a connection closes its own a moment later. */
    private static void awaitAtMost(long descriptors) {
        Await.until(
                () -> "at most " + descriptors + " descriptors: " + descriptors(), () -> descriptors() <= descriptors);
    }

    private void useAHub(PatientPublisher publisher, Inbound inbound) {
        try (IpcHub hub = IpcHub.start(config())) {
            Event event = event("k");
            publisher.publish(List.of(event));
            Await.until("it to arrive", () -> inbound.events().contains(event));
            Await.until("both to be connected", () -> hub.connections() == 2);
        }
    }
}
