package dev.posthorn.transports.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryTransportTest {

    private final MemoryTransport transport = MemoryTransport.builder()
            .capacity(2)
            .drainTime(Duration.ofMillis(200))
            .build();
    private final Publisher publisher = transport.publisher();

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void everySubscriberGetsTheSameObject() {
        List<Event> billing = new CopyOnWriteArrayList<>();
        List<Event> shipping = new CopyOnWriteArrayList<>();
        transport.subscribe("billing", billing::add);
        transport.subscribe("shipping", shipping::add);
        Event event = event();

        publisher.publish(TrackedPublication.firstOf(List.of(event)));

        Await.until("both to have it", () -> billing.size() == 1 && shipping.size() == 1);
        assertThat(billing.get(0)).isSameAs(event);
        assertThat(shipping.get(0)).isSameAs(event);
    }

    @Test
    void withoutSubscribersAnEventIsAccepted() {
        TrackedPublication publication = new TrackedPublication(event(), 1);

        publisher.publish(List.of(publication));

        assertThat(publication.settlements()).containsExactly(Outcome.accepted());
    }

    @Test
    void theHandlerRunsOnADaemonThreadWithTheSubscribersName() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        transport.subscribe("billing", event -> thread.complete(Thread.currentThread()));

        publisher.publish(TrackedPublication.firstOf(events(1)));

        assertThat(thread.join().getName()).isEqualTo("posthorn-receive-billing-0");
        assertThat(thread.join().isDaemon()).isTrue();
    }

    @Test
    void aFullQueueDelaysTheOutcomeUntilThereIsRoom() {
        Gate slow = new Gate();
        transport.subscribe("slow", slow);
        transport.subscribe("fast", event -> {});
        List<TrackedPublication> publications = TrackedPublication.firstOf(events(4));
        publisher.publish(publications);
        assertThat(publications).extracting(TrackedPublication::isSettled).containsExactly(true, true, false, false);

        slow.let(1);

        assertThat(publications.get(2).awaitOutcome()).isEqualTo(Outcome.accepted());
        assertThat(publications.get(3).isSettled()).isFalse();
    }

    @Test
    void aSlowSubscriberDoesNotHoldUpAFastOne() {
        List<Event> fast = new CopyOnWriteArrayList<>();
        transport.subscribe("slow", new Gate());
        transport.subscribe("fast", fast::add);
        List<Event> events = events(50);

        publisher.publish(TrackedPublication.firstOf(events));

        Await.until("the fast one to have all", () -> fast.size() == 50);
        assertThat(fast).isEqualTo(events);
    }

    @Test
    void whatWaitsForRoomKeepsItsOrder() {
        Gate slow = new Gate();
        transport.subscribe("slow", slow);
        List<Event> events = events(100);
        for (TrackedPublication publication : TrackedPublication.firstOf(events)) {
            publisher.publish(List.of(publication));
        }

        slow.let(100);

        Await.until("all to be handled", () -> slow.finished().size() == 100);
        assertThat(slow.finished()).isEqualTo(events);
    }

    @Test
    void whatFindsNoRoomInTimeIsUnavailableAndNotDeliveredLater() {
        MemoryTransport impatient = MemoryTransport.builder()
                .capacity(1)
                .patience(Duration.ofMillis(20))
                .build();
        Gate slow = new Gate();
        impatient.subscribe("slow", slow);
        List<TrackedPublication> publications = TrackedPublication.firstOf(events(2));
        impatient.publisher().publish(publications);

        Outcome ofTheSecond = publications.get(1).awaitOutcome();
        slow.let(2);
        impatient.close();

        assertThat(ofTheSecond).isInstanceOf(Outcome.Unavailable.class);
        assertThat(slow.finished()).containsExactly(publications.get(0).event());
    }

    @Test
    void aHandlerThatThrowsIsCountedAndGetsItsEventAgain() {
        List<Event> handled = new CopyOnWriteArrayList<>();
        List<Event> events = events(2);
        AtomicInteger throwing = new AtomicInteger(1);
        MemorySubscription subscription = transport.subscribe("fragile", event -> {
            if (event.equals(events.get(0)) && throwing.getAndDecrement() > 0) {
                throw new AssertionError("thrown by the test");
            }
            handled.add(event);
        });

        publisher.publish(TrackedPublication.firstOf(events));

        Await.until("both events", () -> handled.size() == 2);
        assertThat(handled).containsExactly(events.get(1), events.get(0));
        Await.until("both to be counted", () -> subscription.status().totals().done() == 2);
        Await.untilCounted(1, () -> subscription.status().totals().retried());
    }

    @Test
    void closingHandlesWhatWasAcceptedAndSettlesTheRestAsUnavailable() {
        Gate slow = new Gate();
        MemorySubscription subscription = transport.subscribe("slow", slow);
        List<TrackedPublication> publications = TrackedPublication.firstOf(events(3));
        publisher.publish(publications);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(transport::close);

        Outcome ofTheThird = publications.get(2).awaitOutcome();
        slow.let(3);
        closing.join();

        assertThat(ofTheThird).isInstanceOf(Outcome.Unavailable.class);
        assertThat(subscription.status().totals().done()).isEqualTo(2);
        assertThat(publications).allSatisfy(one -> assertThat(one.settlements()).hasSize(1));
    }

    @Test
    void aHandlerThatNeverReturnsDoesNotKeepCloseFromReturning() {
        CountDownLatch interrupted = new CountDownLatch(1);
        Gate never = new Gate();
        MemorySubscription stuck = transport.subscribe("stuck", event -> {
            try {
                never.accept(event);
            } finally {
                interrupted.countDown();
            }
        });
        publisher.publish(TrackedPublication.firstOf(events(2)));

        transport.close();

        assertThat(stuck.status().totals().done()).isZero();
        Await.until("the thread to be interrupted", () -> interrupted.getCount() == 0);
    }

    @Test
    void closingAPublisherSettlesOnlyItsOwnWaitingEvents() {
        transport.subscribe("slow", new Gate());
        Publisher other = transport.publisher();
        publisher.publish(TrackedPublication.firstOf(events(2)));
        TrackedPublication mine = new TrackedPublication(event(), 1);
        TrackedPublication others = new TrackedPublication(event(), 1);
        publisher.publish(List.of(mine));
        other.publish(List.of(others));

        publisher.close();

        assertThat(mine.settlements()).hasSize(1).first().isInstanceOf(Outcome.Unavailable.class);
        assertThat(others.isSettled()).isFalse();
    }

    @Test
    void whoLeavesHoldsNobodyUpAnyMore() {
        MemorySubscription leaving = transport.subscribe("leaving", new Gate());
        TrackedPublication waiting = new TrackedPublication(event(), 1);
        publisher.publish(TrackedPublication.firstOf(events(2)));
        publisher.publish(List.of(waiting));

        leaving.close();

        assertThat(waiting.settlements()).containsExactly(Outcome.accepted());
    }

    @Test
    void membersOfOneSubscriberMustWantTheSame() {
        transport.subscribe(Subscriber.named("billing").domains("orders"), delivery -> {});

        assertThatThrownBy(() -> transport.subscribe(Subscriber.named("billing").domains("stock"), delivery -> {}))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("billing");
    }

    @Test
    void whatALeavingMemberHadNotBegunComesToTheNextInOrder() {
        MemoryTransport wide = MemoryTransport.builder().build();
        Gate slow = new Gate();
        Subscriber billing = Subscriber.named("billing").concurrency(1).drainTime(Duration.ofMillis(1));
        MemorySubscription leaving = wide.subscribe(billing, delivery -> {
            slow.accept(delivery.event());
            delivery.settle(Verdict.done());
        });
        List<Event> events = IntStream.range(0, 20)
                .mapToObj(
                        i -> Event.of("orders", "Placed").key("one").sequence(i).build())
                .toList();
        wide.publisher().publish(TrackedPublication.firstOf(events));
        List<Event> rest = new CopyOnWriteArrayList<>();
        wide.subscribe(billing, delivery -> {
            rest.add(delivery.event());
            delivery.settle(Verdict.done());
        });

        leaving.close();

        Await.until("all to come", () -> rest.size() == 20);
        assertThat(rest).isEqualTo(events);
        wide.close();
    }

    @Test
    void aCapacityOfNothingIsRejected() {
        assertThatThrownBy(() -> MemoryTransport.builder().capacity(0)).isInstanceOf(PosthornException.class);
    }

    @Test
    void theDirectFlavourReportsWhatTheHandlerDid() {
        Publisher direct = MemoryTransport.direct(event -> {
                    if (event.type().equals("Bad")) {
                        throw new IllegalStateException("no stock");
                    }
                })
                .publisher();
        TrackedPublication good = new TrackedPublication(event(), 1);
        TrackedPublication bad =
                new TrackedPublication(Event.of("orders", "Bad").build(), 1);

        direct.publish(List.of(bad, good));

        assertThat(good.settlements()).containsExactly(Outcome.accepted());
        assertThat(bad.settlements()).containsExactly(Outcome.failed("IllegalStateException: no stock"));
    }

    private static Event event() {
        return Event.of("orders", "Placed").build();
    }

    private static List<Event> events(int count) {
        return IntStream.range(0, count).mapToObj(i -> event()).toList();
    }
}
