package dev.posthorn.transports.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a hub does with queues, members and subscribers that are not there. */
@Tag("exact")
class QueueTest extends IpcTests {

    private static final Subscriber BILLING =
            Subscriber.named("billing").domains("orders").drainTime(Duration.ofMillis(100));

    private final Semaphore permits = new Semaphore(0);

    private Inbound gated() {
        return new Inbound(delivery -> {
            try {
                permits.acquire();
            } catch (InterruptedException stopped) {
                return Verdict.retry(Duration.ZERO);
            }
            return Verdict.done();
        });
    }

    private IpcConfig small(Duration patience) {
        return config().limits(new IpcConfig.Limits(2, 1 << 20, 1 << 20, 100)).timing(TIMING.patience(patience));
    }

    @Test
    void aFullQueueDelaysTheAnswerUntilThereIsRoom() {
        IpcTransport bus = transport(small(Duration.ofMinutes(1)));
        closing(bus.subscribe(BILLING, gated()));
        List<TrackedPublication> publications = TrackedPublication.firstOf(events(4, 4));
        closing(bus.publisher()).publish(publications);
        assertThat(publications.get(1).awaitOutcome()).isEqualTo(Outcome.accepted());
        assertThat(publications).extracting(TrackedPublication::isSettled).containsExactly(true, true, false, false);

        permits.release();

        assertThat(publications.get(2).awaitOutcome()).isEqualTo(Outcome.accepted());
        assertThat(publications.get(3).isSettled()).isFalse();
        permits.release(3);
    }

    @Test
    void whatFindsNoRoomInTimeIsUnavailableAndNothingAcceptedIsMissing() {
        IpcTransport bus = transport(small(Duration.ofMillis(50)));
        Inbound inbound = gated();
        closing(bus.subscribe(BILLING, inbound));
        List<Event> events = events(5, 5);

        List<Outcome> first = outcomes(bus, events);
        List<Outcome> whileStuck = outcomes(bus, events(1, 1));
        permits.release(1_000);
        Await.until("room", () -> outcomes(bus, events(1, 1)).contains(Outcome.accepted()));

        assertThat(first.subList(0, 2)).containsOnly(Outcome.accepted());
        assertThat(first.subList(2, 5)).allMatch(Outcome.Unavailable.class::isInstance);
        assertThat(first.get(2).toString()).contains("billing");
        assertThat(whileStuck).allMatch(Outcome.Unavailable.class::isInstance);
        assertThat(inbound.events())
                .containsAll(events.subList(0, 2))
                .doesNotContainAnyElementsOf(events.subList(2, 5));
    }

    @Test
    void whatIsUnavailableForOneSubscriberNeverStopsTheOther() {
        IpcTransport bus = transport(small(Duration.ofMillis(50)));
        Inbound fast = new Inbound();
        closing(bus.subscribe(BILLING, gated()));
        closing(bus.subscribe(Subscriber.named("fast"), fast));
        List<Event> events = events(5, 5);

        List<Outcome> unused = outcomes(bus, events);

        fast.await(5);
        permits.release(10);
    }

    @Test
    void aKeyWhoseMemberIsBusyHoldsUpNoOtherKey() {
        IpcTransport bus = transport();
        Inbound busy = gated();
        Inbound idle = new Inbound();
        closing(bus.subscribe(BILLING.prefetch(1).concurrency(1), busy));
        List<Event> ofOneKey = events(3, 1);
        assertThat(outcomes(bus, ofOneKey)).containsOnly(Outcome.accepted());
        busy.await(1);

        closing(bus.subscribe(BILLING.prefetch(1), idle));
        List<Event> others = List.of(event("a"), event("b"), event("c"));
        assertThat(outcomes(bus, others)).containsOnly(Outcome.accepted());

        idle.await(3);
        assertThat(idle.events()).containsExactlyElementsOf(others);
        permits.release(3);
        Await.until("the busy key", () -> busy.count() + idle.count() == 6);
    }

    @Test
    void whileMembersComeAndGoEachKeyStaysInOrderAndWithOneOfThemAtATime() {
        IpcTransport bus = transport();
        List<Event> events = events(4_000, 20);
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        AtomicBoolean overlapped = new AtomicBoolean();
        Inbound shared = new Inbound(delivery -> {
            AtomicInteger ofKey =
                    running.computeIfAbsent(delivery.event().key().orElseThrow(), any -> new AtomicInteger());
            if (ofKey.incrementAndGet() > 1) {
                overlapped.set(true);
            }
            Thread.onSpinWait();
            ofKey.decrementAndGet();
            return Verdict.done();
        });
        Subscriber patient = BILLING.drainTime(Duration.ofSeconds(10)).prefetch(16);
        closing(bus.subscribe(patient, shared));
        PatientPublisher publisher = closing(new PatientPublisher(bus.publisher()));

        publisher.publish(events);
        for (int i = 0; i < 15; i++) {
            Subscription passing = transport().subscribe(patient, shared);
            int before = shared.count();
            Await.until("some to be handled", () -> shared.count() >= Math.min(before + 100, 4_000));
            passing.close();
        }

        Await.until("all", () -> shared.first().size() == 4_000);
        assertThat(overlapped).isFalse();
        assertThat(shared.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(shared.count()).isEqualTo(4_000);
    }

    @Test
    void whatIsPublishedWhileASubscriberIsAwayWaitsForIt() {
        IpcTransport bus = transport();
        bus.subscribe(BILLING, new Inbound()).close();
        List<Event> events = events(10, 2);

        assertThat(outcomes(bus, events)).containsOnly(Outcome.accepted());
        Inbound back = new Inbound();
        closing(bus.subscribe(BILLING, back));

        back.await(10);
        assertThat(back.byKey()).isEqualTo(Inbound.byKey(events));
    }

    @Test
    void aSubscriberThatIsAwayForTooLongIsForgottenAndHoldsUpNobody() {
        IpcTransport bus = transport(config().limits(new IpcConfig.Limits(2, 1 << 20, 1 << 20, 100))
                .timing(TIMING.absence(Duration.ofMillis(300)).patience(Duration.ofMillis(100))));
        bus.subscribe(BILLING, new Inbound()).close();
        Inbound other = new Inbound();
        closing(bus.subscribe(Subscriber.named("other"), other));
        List<Outcome> whileAway = outcomes(bus, events(3, 3));

        Await.until("it to be forgotten", () -> outcomes(bus, events(1, 1)).contains(Outcome.accepted()));

        assertThat(whileAway.get(2)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(outcomes(bus, events(10, 10))).containsOnly(Outcome.accepted());
        assertThat(new GroupsFile(new Folder(folder()).groups(Folder.HUB)))
                .satisfies(file -> assertThat(file.read())
                        .extracting(Group.Wishes::subscriber)
                        .containsExactly("other"));
    }

    @Test
    void theNextHubKnowsTheSubscribersOfTheLastOne() throws Exception {
        IpcHub first = IpcHub.start(config());
        IpcTransport bus = transport(config().shape(Shape.HUB));
        bus.subscribe(BILLING.types("Placed", "odd,type\t"), new Inbound()).close();
        first.close();
        hub();
        List<Event> events = events(5, 5);

        PatientPublisher publisher = closing(new PatientPublisher(bus.publisher()));
        publisher.publish(events);
        Await.until("all to be accepted", () -> publisher.left() == 0);
        Inbound back = new Inbound();
        closing(bus.subscribe(BILLING.types("Placed", "odd,type\t"), back));

        back.await(5);
        assertThat(back.first()).containsExactlyInAnyOrderElementsOf(events);
        assertThat(Files.readString(new Folder(folder()).groups(Folder.HUB))).contains("odd%2Ctype%09");
    }

    @Test
    void membersThatWantOtherEventsAreToldSo() {
        IpcTransport bus = transport();
        closing(bus.subscribe(BILLING, new Inbound()));

        Subscription other = closing(bus.subscribe(Subscriber.named("billing").domains("payments"), new Inbound()));

        assertThat(other.status().trouble().orElseThrow()).contains("want other domains");
    }

    @Test
    void withAcceptanceOnHandlingTheAnswerWaitsForTheHandlers() {
        IpcTransport bus = transport(config().acceptance(Acceptance.HANDLED));
        closing(bus.subscribe(BILLING, gated()));
        List<TrackedPublication> publications = TrackedPublication.firstOf(events(1, 1));
        Inbound quick = new Inbound();
        closing(bus.subscribe(Subscriber.named("quick"), quick));

        closing(bus.publisher()).publish(publications);
        quick.await(1);
        assertThat(publications.get(0).isSettled()).isFalse();
        permits.release();

        assertThat(publications.get(0).awaitOutcome()).isEqualTo(Outcome.accepted());
    }

    @Test
    void withAcceptanceOnHandlingWhatIsNotHandledInTimeIsUnknown() {
        IpcTransport bus =
                transport(config().acceptance(Acceptance.HANDLED).timing(TIMING.patience(Duration.ofMillis(100))));
        closing(bus.subscribe(BILLING, gated()));

        assertThat(outcomes(bus, events(1, 1))).allMatch(Outcome.Unknown.class::isInstance);
        permits.release();
    }

    @Test
    void aHubThatIsClosedWaitsForItsQueues() {
        IpcTransport bus = transport(config().shape(Shape.HUB));
        IpcHub hub = closing(IpcHub.start(config().timing(TIMING.drain(Duration.ofSeconds(20)))));
        Inbound inbound = gated();
        closing(bus.subscribe(BILLING.prefetch(1), inbound));
        assertThat(outcomes(bus, events(50, 50))).containsOnly(Outcome.accepted());

        permits.release(50);
        hub.close();

        assertThat(inbound.first()).hasSize(50);
    }
}
