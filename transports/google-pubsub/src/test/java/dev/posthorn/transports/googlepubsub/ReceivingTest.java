package dev.posthorn.transports.googlepubsub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PubsubMessage;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ReceivingTest extends PubSubTests {

    @Test
    void theDeadlineIsExtendedWhileAHandlerRuns() {
        assertThat(open(config()).ackDeadline()).isEqualTo(Duration.ofSeconds(10));
        Inbound slow = new Inbound(delivery -> {
            takeTime(Duration.ofSeconds(23));
            return Verdict.done();
        });
        Inbound other = new Inbound(delivery -> {
            takeTime(Duration.ofSeconds(23));
            return Verdict.done();
        });
        Subscription first = open(config()).subscribe(BILLING, slow);
        Subscription second = open(config()).subscribe(BILLING, other);

        publish(open(config()), List.of(event("k")));

        Await.within(
                Duration.ofSeconds(60),
                () -> "it to be done: " + first.status() + ", " + second.status(),
                () -> first.status().totals().done() + second.status().totals().done() == 1);
        assertThat(slow.count() + other.count()).isEqualTo(1);
    }

    @Test
    void onASubscriptionWithAnotherDeadlineOfItsOwnItIsExtendedAtOnce() {
        try (GooglePubSubTransport maker = new GooglePubSubTransport(config())) {
            maker.subscribe(BILLING, new Inbound()).close();
        }
        Interposer interposer = interposed();
        Duration deadline = Duration.ofMinutes(5);
        Inbound inbound = new Inbound(delivery -> Verdict.retry(Duration.ofMinutes(1)));
        var unused = open(through(interposer).subscriptions(TestPubSub.SUBSCRIPTIONS.ackDeadline(deadline)))
                .subscribe(BILLING, inbound);

        publish(open(config()), List.of(event("k")));

        Await.until(
                "the deadline to be extended",
                () -> interposer.calls("ModifyAckDeadline").stream().anyMatch(call -> seconds(call) == 300));
        assertThat(admin.find(prefix + "-billing-orders").getAckDeadlineSeconds())
                .isEqualTo(10);
    }

    private static int seconds(Interposer.Call call) {
        try {
            return ModifyAckDeadlineRequest.parseFrom(call.request()).getAckDeadlineSeconds();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsRejectedIsADeadLetterWithAllThatCameAndTheReason() {
        GooglePubSubTransport transport = open(config());
        Subscription subscription = transport.subscribe(BILLING, new Inbound(delivery -> Verdict.reject("not ours")));
        Event event = Event.of("orders", "Placed")
                .key("k")
                .header("shop", "7")
                .json("{\"a\":1}")
                .build();

        publish(transport, List.of(event));

        List<PubsubMessage> letters = new ArrayList<>();
        Await.until(() -> "the dead letter: " + subscription.status(), () -> {
            admin.take(prefix + "-dlq-orders").forEach(letter -> letters.add(letter.getMessage()));
            return letters.size() == 1;
        });
        assertThat(letters.get(0).getAttributesMap())
                .containsEntry("posthorn-dead-reason", "not ours")
                .containsEntry("posthorn-dead-subscriber", "billing")
                .containsEntry("posthorn-dead-subscription", Admin.subscription(prefix + "-billing-orders"))
                .containsEntry("event_id", event.id().toString())
                .containsEntry("shop", "7");
        assertThat(letters.get(0).getData().toString(UTF_8)).isEqualTo("{\"a\":1}");
        assertThat(read(letters.get(0))).isEqualTo(event);
    }

    @Test
    void aDeadLetterIsWrittenBeforeItsMessageIsAcknowledged() {
        Interposer interposer = interposed();
        GooglePubSubTransport transport = open(through(interposer));
        Subscription subscription = transport.subscribe(BILLING, new Inbound(delivery -> Verdict.reject("not ours")));
        interposer.failing(
                call -> isToDeadLetters(call) ? java.util.Optional.of(Status.UNAVAILABLE) : java.util.Optional.empty());

        publish(transport, List.of(event("k")));

        Await.until(
                () -> "the trouble to show: " + subscription.status(),
                () -> subscription.status().trouble().orElse("").contains("can not be settled"));
        assertThat(interposer.calls("Acknowledge")).isEmpty();
        interposer.letThrough();
        Await.until(
                "the acknowledgement", () -> !interposer.calls("Acknowledge").isEmpty());
        assertThat(admin.take(prefix + "-dlq-orders")).hasSize(1);
    }

    private boolean isToDeadLetters(Interposer.Call call) {
        return call.name().equals("Publish") && call.request().toString(UTF_8).contains(prefix + "-dlq-orders");
    }

    /** Moving it to the dead letters after so many is left to the cloud: the emulator fails at that where order is kept. */
    @Test
    void deliveriesAreCountedByPubSub() {
        try (GooglePubSubTransport maker = new GooglePubSubTransport(config())) {
            maker.subscribe(BILLING, new Inbound()).close();
        }
        publish(open(config()), List.of(event("k")));
        Await.until("somebody else to have it once", () -> admin.refuse(prefix + "-billing-orders") == 1);
        Inbound inbound = new Inbound();

        var unused = open(config()).subscribe(BILLING, inbound);

        inbound.await(1);
        assertThat(inbound.all().get(0).deliveries()).isEqualTo(2);
        assertThat(inbound.all().get(0).attempt()).isEqualTo(1);
    }

    @Test
    void exactlyOnceIsPerMessageAndAnEventThatIsPublishedAgainIsAnotherOne() {
        GooglePubSubTransport transport = open(config().subscriptions(TestPubSub.SUBSCRIPTIONS.exactlyOnce(true)));
        Set<String> messages = ConcurrentHashMap.newKeySet();
        Set<java.util.UUID> effects = ConcurrentHashMap.newKeySet();
        Inbound inbound = new Inbound(delivery -> {
            messages.add(delivery.metadata().getOrDefault("pubsub.message-id", ""));
            effects.add(delivery.event().id()); // as an inbox does
            return Verdict.done();
        });
        var unused = transport.subscribe(BILLING, inbound);
        Event event = event("k");

        publish(transport, List.of(event));
        publish(transport, List.of(event));

        inbound.await(2);
        assertThat(messages).hasSize(2);
        assertThat(effects).containsExactly(event.id());
    }

    @Test
    void anAcknowledgementThatFailsIsSentAgainAndNothingIsHandledTwice() {
        Interposer interposer = interposed();
        GooglePubSubTransport transport = open(through(interposer));
        Inbound inbound = new Inbound();
        Subscription subscription = transport.subscribe(BILLING, inbound);
        interposer.failing("Acknowledge", Status.UNAVAILABLE);

        publish(transport, events(20, 5));
        inbound.await(20);
        Await.until("some to fail", () -> interposer.calls("Acknowledge").size() > 2);
        interposer.letThrough();

        Await.until(
                () -> "the trouble to be over: " + subscription.status(),
                () -> subscription.status().trouble().isEmpty());
        subscription.close();
        assertThat(inbound.count()).isEqualTo(20);
        assertThat(admin.take(prefix + "-billing-orders")).isEmpty();
    }

    @Test
    void whatIsSettledIsSettledAtPubSubWhenCloseReturns() {
        GooglePubSubTransport transport = open(config());
        Inbound inbound = new Inbound();
        Subscription subscription = transport.subscribe(BILLING, inbound);
        publish(transport, events(200, 20));
        inbound.await(200);

        subscription.close();

        assertThat(admin.take(prefix + "-billing-orders")).isEmpty();
    }

    @Test
    void whileMembersComeAndGoEachKeyStaysInOrder() {
        List<Event> events = events(1_000, 10);
        Inbound inbound = new Inbound(delivery -> {
            takeTime(Duration.ofMillis(2));
            return Verdict.done();
        });
        Subscription stays = open(config()).subscribe(BILLING.prefetch(20), inbound);
        GooglePubSubTransport publishing = open(config());

        for (int round = 0; round < 5; round++) {
            publish(publishing, events.subList(round * 200, round * 200 + 200));
            open(config()).subscribe(BILLING.prefetch(20), inbound).close();
        }

        Await.within(
                Duration.ofSeconds(90),
                () -> "1,000 to arrive, so far " + inbound.first().size() + ", " + stays.status(),
                () -> inbound.first().size() == 1_000);
        assertThat(inbound.byKey()).isEqualTo(Inbound.byKey(events));
    }

    @Test
    void theEventsOfADeadMemberComeToAnotherInOrder() {
        Gate itsNetwork = closing(new Gate(broker.emulator().address()));
        CountDownLatch begun = new CountDownLatch(1);
        var unused = open(config().endpoint(Endpoint.emulator(TestPubSub.PROJECT, itsNetwork.address())))
                .subscribe(BILLING.drainTime(Duration.ZERO), new Inbound(delivery -> {
                    begun.countDown();
                    takeTime(Duration.ofMinutes(1));
                    return Verdict.done();
                }));
        List<Event> events = events(6, 2);
        publish(open(config()), events);
        Await.until("it to begin", () -> begun.getCount() == 0);
        Inbound heir = new Inbound();
        var inherits = open(config()).subscribe(BILLING, heir);

        itsNetwork.shut();

        Await.within(
                Duration.ofSeconds(60),
                () -> "all to come to the other, so far " + heir.count() + ", " + inherits.status(),
                () -> heir.first().size() == 6);
        assertThat(heir.byKey()).isEqualTo(Inbound.byKey(events));
        assertThat(heir.all().get(0).deliveries()).isGreaterThan(1);
    }

    @Test
    void whatIsBehindAMessageWhoseLeaseHasLapsedIsNotHandledBeforeIt() {
        Interposer interposer = interposed();
        CountDownLatch free = new CountDownLatch(1);
        Inbound inbound = new Inbound(delivery -> {
            if (delivery.event().key().orElseThrow().equals("busy")) {
                awaitQuietly(free);
            }
            return Verdict.done();
        });
        Subscription subscription = open(through(interposer))
                .subscribe(BILLING.concurrency(1).prefetch(3), inbound); // no room for it twice
        GooglePubSubTransport publishing = open(config());
        publish(publishing, List.of(event("busy")));
        inbound.await(1);
        interposer.failing("ModifyAckDeadline", Status.UNAVAILABLE);
        Event first = event("k");
        Event second = event("k");

        interposer.withholding(message -> read(message.getMessage()).equals(second));

        publish(publishing, List.of(first, second));
        Await.until("the second to be on its way", () -> interposer.withheld() == 1 && interposer.isWaiting());
        awaitUnsettled(subscription, 2);
        takeTime(Duration.ofSeconds(5));
        interposer.release();
        awaitUnsettled(subscription, 3);
        takeTime(Duration.ofSeconds(6)); // 10 s are certain for each, so that only the lease of the first is over
        free.countDown();
        interposer.letThrough();

        Await.within(
                Duration.ofSeconds(60),
                () -> "both of the key, so far " + inbound.events() + ", " + subscription.status(),
                () -> inbound.events().containsAll(List.of(first, second)));
        assertThat(inbound.byKey().get("k")).containsExactly(first.id(), second.id());
    }

    private static void awaitUnsettled(Subscription subscription, int count) {
        Await.until(
                () -> count + " to be here: " + subscription.status(),
                () -> subscription.status().unsettled() == count);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void oneMemberAtATimeHasAKey() {
        Set<String> busy = ConcurrentHashMap.newKeySet();
        List<String> overlaps = new java.util.concurrent.CopyOnWriteArrayList<>();
        Inbound inbound = new Inbound(delivery -> {
            String key = delivery.event().key().orElseThrow();
            if (!busy.add(key)) {
                overlaps.add(key);
            }
            takeTime(Duration.ofMillis(5));
            busy.remove(key);
            return Verdict.done();
        });
        for (int i = 0; i < 3; i++) {
            var unused = open(config()).subscribe(BILLING.prefetch(5), inbound);
        }

        publish(open(config()), events(300, 6));

        inbound.await(300);
        assertThat(overlaps).isEmpty();
        assertThat(inbound.byKey()).hasSize(6);
    }

    @Test
    void closingEndsAllThreads() {
        Set<Long> before = threads();
        CountDownLatch handled = new CountDownLatch(1);
        try (GooglePubSubTransport transport = new GooglePubSubTransport(config())) {
            var unused = transport.subscribe(BILLING, delivery -> {
                delivery.settle(Verdict.done());
                handled.countDown();
            });
            publish(transport, List.of(event("k")));
            Await.until("the event", () -> handled.getCount() == 0);
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().contains("pubsub")))
                    .isNotEmpty()
                    .allMatch(Thread::isDaemon);
        }

        Await.until("its threads to end, and those of the library", () -> before.containsAll(threads()));
    }

    /** Of the transport; the admin's and the gate's come and go, and the library shares its network threads. */
    private static Set<Long> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("posthorn-"))
                .map(Thread::getId)
                .collect(Collectors.toSet());
    }
}
