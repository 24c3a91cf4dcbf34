package dev.posthorn.transports.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each subscriber has a hub of its own. */
@Tag("exact")
class PeersTest extends IpcTests {

    @Override
    IpcConfig config() {
        return super.config().shape(Shape.PEERS);
    }

    @Test
    void whoHasSubscribedMissesNothingThatIsPublishedNext() {
        IpcTransport publishing = transport();
        List<Inbound> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Inbound inbound = new Inbound();
            closing(transport().subscribe(Subscriber.named("subscriber-" + i), inbound));
            all.add(inbound);
            Event event = event("k" + i);

            assertThat(outcomes(publishing, List.of(event))).containsOnly(Outcome.accepted());

            all.forEach(
                    one -> Await.until("it to arrive at all", () -> one.events().contains(event)));
        }
    }

    @Test
    void withoutAnySubscriberAnEventIsUnroutable() {
        assertThat(outcomes(transport(), events(2, 2))).allMatch(Outcome.Failed.class::isInstance);
        assertThat(outcomes(transport(config().unroutable(Unroutable.ACCEPT)), events(2, 2)))
                .containsOnly(Outcome.accepted());
    }

    @Test
    void publishersWaitForASubscriberThatIsGoneUntilItIsForgotten() {
        IpcConfig forgetful = config().timing(TIMING.absence(Duration.ofMillis(700)));
        IpcTransport gone = new IpcTransport(forgetful);
        gone.subscribe(Subscriber.named("gone"), new Inbound()).close();
        Inbound inbound = new Inbound();
        closing(transport(forgetful).subscribe(Subscriber.named("billing"), inbound));
        IpcTransport publishing = transport(forgetful);
        gone.close();

        List<Outcome> whileGone = outcomes(publishing, events(1, 1));
        Await.until(
                "it to be forgotten", () -> outcomes(publishing, events(1, 1)).contains(Outcome.accepted()));

        assertThat(whileGone).allMatch(Outcome.Unavailable.class::isInstance);
        assertThat(whileGone.get(0).toString()).contains("peer-gone.sock");
    }

    @Test
    void whatIsPublishedWhileASubscriberRestartsReachesIt() {
        IpcTransport first = new IpcTransport(config());
        first.subscribe(Subscriber.named("billing"), new Inbound()).close();
        first.close();
        List<Event> events = events(20, 4);
        PatientPublisher publisher = closing(new PatientPublisher(transport().publisher()));
        publisher.publish(events);
        Await.until("it to be tried", () -> publisher.answers(Outcome.Unavailable.class) > 3);

        Inbound inbound = new Inbound();
        closing(transport().subscribe(Subscriber.named("billing"), inbound));

        inbound.await(20);
        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
    }

    @Test
    void whenTheHostingMemberLeavesAnotherOneTakesOverAndNothingIsLost() {
        Subscriber billing = Subscriber.named("billing");
        Inbound inbound = new Inbound();
        IpcTransport first = new IpcTransport(config());
        first.subscribe(billing, inbound);
        closing(transport().subscribe(billing, inbound));
        List<Event> events = events(2_000, 40);
        PatientPublisher publisher = closing(new PatientPublisher(transport().publisher()));

        publisher.publish(events);
        Await.until("some to be accepted", () -> publisher.left() < 1_700);
        first.close();

        Await.until("all to be accepted", () -> publisher.left() == 0);
        Await.until("all to arrive", () -> inbound.first().size() == 2_000);
        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(Files.exists(new Folder(folder()).socket("peer-billing"))).isTrue();
    }
}
