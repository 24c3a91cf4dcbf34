package dev.posthorn.transports.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real processes, which are killed. */
@Tag("slow")
@Tag("exact")
class ProcessesTest extends IpcTests {

    private static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    /** Publishes 100 events of 10 keys, again and again until each is accepted, and says so. */
    static final class Publishes {

        private Publishes() {}

        public static void main(String[] args) {
            IpcTransport bus = new IpcTransport(config(Path.of(args[0])).shape(Shape.valueOf(args[1])));
            PatientPublisher publisher = new PatientPublisher(bus.publisher());
            publisher.publish(events(100, 10));
            Await.until("all to be accepted", () -> publisher.left() == 0);
            System.out.println("accepted 100");
            LockSupport.park();
        }
    }

    /** Prints each event with the number of its deliveries; settles those below a sequence and keeps the others for ever. */
    static final class Consumes {

        private Consumes() {}

        public static void main(String[] args) {
            long below = Long.parseLong(args[2]);
            IpcTransport bus = new IpcTransport(config(Path.of(args[0])).shape(Shape.valueOf(args[1])));
            var unused = bus.subscribe(BILLING.concurrency(1), delivery -> {
                long sequence = delivery.event().sequence().orElseThrow();
                System.out.println(sequence + " " + delivery.metadata().get("deliveries"));
                if (sequence < below) {
                    delivery.settle(Verdict.done());
                }
            });
            System.out.println("subscribed");
            LockSupport.park();
        }
    }

    private ChildJvm consumer(Shape shape, int below) {
        ChildJvm child =
                closing(ChildJvm.start(Consumes.class, List.of(folder().toString(), shape.name(), "" + below)));
        assertThat(child.readLine()).isEqualTo("subscribed");
        return child;
    }

    private ChildJvm publisher(Shape shape) {
        return closing(ChildJvm.start(Publishes.class, List.of(folder().toString(), shape.name())));
    }

    /** The publisher hosts the hub, or somebody else does: what the dead consumer had not settled comes again. */
    @ParameterizedTest
    @EnumSource(
            value = Shape.class,
            names = {"HUB", "FIRST_HOSTS"})
    void aKilledConsumersEventsComeAgainWhenItIsBack(Shape shape) {
        if (shape == Shape.HUB) {
            closing(new HubProcess()).host(folder());
        } else {
            outcomes(transport(), events(1, 1)); // this process hosts
        }
        ChildJvm first = consumer(shape, 40);
        assertThat(publisher(shape).readLine()).isEqualTo("accepted 100");
        List<String> seen = new ArrayList<>();
        while (seen.size() < 41) {
            seen.add(first.readLine());
        }

        first.kill();
        ChildJvm second = consumer(shape, 100);
        List<String> again = new ArrayList<>();
        while (!sequences(again).containsAll(range(40, 100))) {
            again.add(second.readLine());
        }

        assertThat(seen.subList(0, 40)).allMatch(line -> line.endsWith(" 1"));
        assertThat(sequences(again)).doesNotHaveDuplicates();
        assertThat(again).as("what the first had at hand").anyMatch(line -> line.endsWith(" 2"));
        assertThat(again.stream().filter(line -> sequences(List.of(line)).get(0) < 40))
                .as("what was settled so shortly before the kill that the hub did not hear of it")
                .allMatch(line -> line.endsWith(" 2"));
        for (int key = 0; key < 10; key++) {
            int ofKey = key;
            assertThat(sequences(again).stream().filter(sequence -> sequence % 10 == ofKey))
                    .isSorted();
        }
    }

    /** The hub dies with its subscriber: what was accepted is lost, and what is published afterwards arrives. */
    @Test
    void aKilledPeerTakesItsQueueAlongAndIsWaitedFor() {
        ChildJvm first = consumer(Shape.PEERS, 0);
        assertThat(publisher(Shape.PEERS).readLine()).isEqualTo("accepted 100");
        String unused = first.readLine();
        first.kill();
        IpcTransport bus = transport(config().shape(Shape.PEERS));
        assertThat(outcomes(bus, events(1, 1))).allMatch(Outcome.Unavailable.class::isInstance);

        ChildJvm second = consumer(Shape.PEERS, 1_000);
        Event after = events(501, 501).get(500);
        PatientPublisher patient = closing(new PatientPublisher(bus.publisher()));
        patient.publish(List.of(after));

        assertThat(second.readLine()).isEqualTo("500 1");
    }

    @Test
    void aFrozenConsumersEventsGoToAnotherAfterTheSilence() {
        IpcConfig config = config().timing(TIMING.silence(Duration.ofSeconds(1)));
        closing(IpcHub.start(config));
        IpcTransport bus = transport(config.shape(Shape.HUB));
        ChildJvm frozen = consumer(Shape.HUB, 0);
        List<Event> events = events(10, 10);
        assertThat(outcomes(bus, events)).containsOnly(Outcome.accepted());
        String unused = frozen.readLine();

        frozen.signal("STOP");
        Inbound inbound = new Inbound();
        closing(bus.subscribe(BILLING, inbound));

        inbound.await(10);
        assertThat(inbound.first()).containsExactlyInAnyOrderElementsOf(events);
    }

    private static List<Integer> sequences(List<String> lines) {
        return lines.stream()
                .map(line -> Integer.valueOf(line.substring(0, line.indexOf(" "))))
                .toList();
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
