package dev.posthorn.transports.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One hub for a folder, whoever hosts it, and another one when that is gone. */
@Tag("slow")
class HostingTest extends IpcTests {

    private static final Subscriber BILLING = Subscriber.named("billing");

    /** Says whether it may host a hub there, and leaves it alone. */
    static final class Tries {

        private Tries() {}

        public static void main(String[] args) {
            System.out.println(IpcHub.tryStart(config(Path.of(args[0])), Folder.HUB)
                    .map(hub -> "hosting")
                    .orElse("locked"));
        }
    }

    private String whatAnotherProcessSays() {
        try (ChildJvm other = ChildJvm.start(Tries.class, List.of(folder().toString()))) {
            return other.readLine();
        }
    }

    @Test
    void asLongAsAHubLivesThereIsNoOther() {
        IpcHub first = hub();

        assertThatThrownBy(() -> IpcHub.start(config()))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("hub.lock");
        assertThat(whatAnotherProcessSays())
                .as("after a try in this process, which must not have given up the lock")
                .isEqualTo("locked");
        first.close();
        assertThat(whatAnotherProcessSays()).isEqualTo("hosting");
    }

    @Test
    void theSocketThatADeadHubLeftBehindIsReplaced() {
        HubProcess process = closing(new HubProcess());
        process.host(folder());
        process.kill();
        assertThat(Files.exists(new Folder(folder()).socket(Folder.HUB))).isTrue();

        IpcHub unused = hub();
        IpcTransport bus = transport(config().shape(Shape.HUB));
        Inbound inbound = new Inbound();
        closing(bus.subscribe(BILLING, inbound));

        assertThat(outcomes(bus, events(1, 1))).containsOnly(Outcome.accepted());
        inbound.await(1);
    }

    @Test
    void aLivingHubWhoseLockFileWasRemovedIsNotReplaced() throws IOException {
        HubProcess process = closing(new HubProcess());
        process.host(folder());
        Files.delete(new Folder(folder()).lock(Folder.HUB));

        assertThatThrownBy(() -> IpcHub.start(config()))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("answers although its lock was free");
    }

    @Test
    void whenTheHostIsKilledAnotherTransportTakesOverAndNothingUnansweredIsLost() {
        HubProcess process = closing(new HubProcess());
        process.host(folder());
        IpcTransport publishing = transport(config().acceptance(Acceptance.HANDLED));
        IpcTransport receiving = transport();
        Inbound inbound = new Inbound();
        closing(receiving.subscribe(BILLING, inbound));
        List<Event> events = events(2_000, 40);
        PatientPublisher publisher = closing(new PatientPublisher(publishing.publisher()));

        publisher.publish(events);
        Await.until("some to be accepted", () -> publisher.left() < 1_700);
        process.kill();

        Await.until("all to be accepted", () -> publisher.left() == 0);
        Await.until("all to arrive", () -> inbound.first().size() == 2_000);
        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(whatAnotherProcessSays()).isEqualTo("locked");
    }

    @Test
    void whenTheHostingTransportIsClosedAnotherTakesOverAndNothingIsLost() {
        IpcTransport hosting = transport();
        Inbound inbound = new Inbound();
        IpcTransport receiving = transport();
        outcomes(hosting, events(1, 1)); // so it hosts
        closing(receiving.subscribe(BILLING, inbound));
        List<Event> events = events(2_000, 40);
        PatientPublisher publisher = closing(new PatientPublisher(receiving.publisher()));

        publisher.publish(events);
        Await.until("some to be accepted", () -> publisher.left() < 1_700);
        hosting.close();

        Await.until("all to be accepted", () -> publisher.left() == 0);
        Await.until("all to arrive", () -> inbound.first().size() == 2_000);
        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
    }

    /** What the README says: with QUEUED, what was accepted and not handled is gone with the hub, and nothing else is. */
    @Test
    void aKilledHubLosesWhatItHadQueuedAndNothingElse() {
        HubProcess process = closing(new HubProcess());
        process.host(folder());
        IpcTransport bus = transport(config().shape(Shape.HUB));
        bus.subscribe(BILLING, new Inbound()).close();
        List<Event> lost = events(10, 10);
        assertThat(outcomes(bus, lost)).containsOnly(Outcome.accepted());

        process.kill();
        process.start();
        List<Event> after = events(10, 10);
        PatientPublisher publisher = closing(new PatientPublisher(bus.publisher()));
        publisher.publish(after);
        Await.until("all to be accepted", () -> publisher.left() == 0);
        Inbound inbound = new Inbound();
        closing(bus.subscribe(BILLING, inbound));

        inbound.await(10);
        assertThat(inbound.first()).containsExactlyInAnyOrderElementsOf(after);
    }
}
