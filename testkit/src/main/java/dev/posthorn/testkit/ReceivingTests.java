package dev.posthorn.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The part of the contract that is about what receivers say and what becomes of it. */
abstract class ReceivingTests extends BrokerTests {

    static final Subscriber ORDERS =
            Subscriber.named("billing").domains("orders").drainTime(Duration.ofSeconds(2));

    @Test
    void aFailedHandlingIsVisibleAndComesAgain() {
        Bus bus = bus();
        Inbound inbound = new Inbound(delivery -> {
            if (delivery.attempt() == 1) {
                throw new IllegalStateException("no stock");
            }
            return Verdict.retry(Duration.ofSeconds(30));
        });
        Subscription subscription = subscribe(bus, ORDERS, inbound);

        publish(bus, List.of(event("orders", "k")));
        inbound.await(2);

        assertThat(inbound.all().stream().map(Inbound.Got::attempt)).containsExactly(1, 2);
        Await.until(
                () -> "the second failure to be counted: " + subscription.status(),
                () -> subscription.status().totals().retried() == 2);
        assertThat(subscription.status().trouble()).isPresent();
    }

    @Test
    void whateverAReceiverThrowsCostsItsEventOneAttemptAndNoOtherEventAnything() {
        Bus bus = bus();
        Inbound inbound = new Inbound(delivery -> {
            String key = delivery.event().key().orElseThrow();
            return key.startsWith("fine") || delivery.attempt() > 1
                    ? Verdict.done()
                    : HandlerFault.valueOf(key).misbehave();
        });
        Subscription subscription = subscribe(bus, ORDERS, inbound);
        List<Event> events = new ArrayList<>();
        for (HandlerFault fault : HandlerFault.values()) {
            events.add(event("orders", fault.name()));
            events.add(event("orders", "fine-" + fault));
        }

        publish(bus, events);

        int faults = HandlerFault.values().length;
        inbound.await(3 * faults);
        Await.until(
                () -> "all to be settled: " + subscription.status(),
                () -> subscription.status().totals().done() == 2L * faults);
        assertThat(subscription.status().totals().retried()).isEqualTo(faults);
        for (HandlerFault fault : HandlerFault.values()) {
            assertThat(attempts(inbound, fault.name())).as(fault.name()).containsExactly(1, 2);
            assertThat(attempts(inbound, "fine-" + fault)).as("beside " + fault).containsExactly(1);
        }
        publish(bus, List.of(event("orders", "fine-after")));
        inbound.await(3 * faults + 1);
    }

    private static List<Integer> attempts(Inbound inbound, String key) {
        return inbound.all().stream()
                .filter(got -> got.event().key().orElseThrow().equals(key))
                .map(Inbound.Got::attempt)
                .toList();
    }

    @Test
    void aRetryComesNoSoonerThanAskedAndWhatIsBehindItWaits() {
        require(capabilities().ordered(), "it keeps no order");
        Bus bus = bus();
        Event head = event("orders", "k");
        Event behind = event("orders", "k");
        Event other = event("orders", "other");
        Inbound inbound = new Inbound(delivery -> delivery.event().equals(head) && delivery.attempt() < 3
                ? Verdict.retry(Duration.ofMillis(400))
                : Verdict.done());
        subscribe(bus, ORDERS, inbound);

        publish(bus, List.of(head, behind, other));
        inbound.await(5);

        List<Inbound.Got> ofKey =
                inbound.all().stream().filter(got -> !got.event().equals(other)).toList();
        assertThat(ofKey.stream().map(Inbound.Got::event)).containsExactly(head, head, head, behind);
        assertThat(ofKey.stream().map(Inbound.Got::attempt)).containsExactly(1, 2, 3, 1);
        assertThat(ofKey.get(1).nanoTime() - ofKey.get(0).nanoTime()).isGreaterThanOrEqualTo(400_000_000L);
        assertThat(inbound.all().stream().map(Inbound.Got::event).toList().indexOf(other))
                .as("place of the other key's event")
                .isLessThan(3);
    }

    @Test
    void whatIsRejectedGoesToTheDeadLettersAndDoesNotComeAgain() {
        Bus bus = bus();
        Event bad = event("orders", "k");
        Event next = event("orders", "k");
        Inbound inbound =
                new Inbound(delivery -> delivery.event().equals(bad) ? Verdict.reject("not for us") : Verdict.done());
        Subscription subscription = subscribe(bus, ORDERS, inbound);

        publish(bus, List.of(bad, next));
        inbound.await(2);

        Await.until(
                "the dead letter",
                () -> broker().deadLetters(prefix(), ORDERS, "orders").size() == 1);
        assertThat(broker().deadLetters(prefix(), ORDERS, "orders").get(0)).isEqualTo(bad.payloadBytes());
        assertThat(inbound.events()).containsExactly(bad, next);
        assertThat(subscription.status().totals().rejected()).isEqualTo(1);
    }

    @Test
    void aDeadLetterAtTheBrokerCarriesWhatTheConsumerKnowsAboutIt() {
        Bus bus = bus();
        Event bad = event("orders", "k");
        Map<String, String> about = Map.of(
                "posthorn-dead-cause", "sequence-mismatch",
                "posthorn-dead-detail-expected", "4711",
                "posthorn-dead-metadata-host.name", "server-17");
        subscribe(bus, ORDERS, new Inbound(delivery -> Verdict.reject("not for us", about)));

        publish(bus, List.of(bad));
        Await.until(
                "the dead letter",
                () -> broker().deadLetters(prefix(), ORDERS, "orders").size() == 1);

        List<String> headers = broker().deadLetterHeaders(prefix(), ORDERS, "orders");
        require(!headers.isEmpty(), "it keeps the reason only");
        assertThat(headers).hasSize(1);
        assertThat(headers.get(0)).contains("not for us");
        about.forEach((name, value) -> assertThat(headers.get(0)).contains(name, value));
        assertThat(headers.get(0)).as("the cover").contains(bad.id().toString());
    }

    @Test
    void whatIsDoneDoesNotComeAgainAndWhatIsNotComesToTheNextMember() {
        require(capabilities().redelivers(), "it does not redeliver");
        List<Event> events = events(20, 20);
        CountDownLatch atHand = new CountDownLatch(10);
        CountDownLatch never = new CountDownLatch(1);
        Bus dying = bus();
        Inbound first = new Inbound(delivery -> {
            if (delivery.event().sequence().orElseThrow() % 2 == 0) {
                return Verdict.done();
            }
            atHand.countDown();
            awaitUnlessInterrupted(never);
            return Verdict.done();
        });
        Subscription leaving =
                subscribe(dying, ORDERS.concurrency(11).prefetch(20).drainTime(Duration.ofMillis(1)), first);
        Inbound second = new Inbound();

        publish(bus(), events);
        Await.until("the first member to be at it", () -> first.count() >= 20 || atHand.getCount() == 0);
        Await.until(
                () -> "the even ones to be done: " + leaving.status(),
                () -> leaving.status().totals().done() == 10);
        subscribe(bus(), ORDERS, second);
        leaving.close();
        dying.close();

        Await.until(
                () -> "the others to come to the second, so far " + second.events(),
                () -> ids(second.events()).size() >= 10);
        assertThat(second.first()).allMatch(event -> event.sequence().orElseThrow() % 2 == 1);
        assertThat(second.first()).hasSize(10);
    }

    @Test
    void closingWaitsForWhatIsBeingHandled() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger finished = new AtomicInteger();
        Bus bus = bus();
        Subscription subscription = subscribe(bus, ORDERS, new Inbound(delivery -> {
            begun.countDown();
            pause(500);
            finished.incrementAndGet();
            return Verdict.done();
        }));
        Inbound later = new Inbound();
        publish(bus, List.of(event("orders", "k")));
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        subscribe(bus(), ORDERS, later);
        subscription.close();

        assertThat(finished).hasValue(1);
        Event after = event("orders", "k");
        publish(bus, List.of(after));
        later.await(1);
        assertThat(later.events()).containsExactly(after);
    }

    @Test
    void aHandlerSlowerThanTheBrokersDeadlineIsNotRunTwice() {
        Bus bus = bus();
        Inbound slow = new Inbound(delivery -> {
            pause(4_000);
            return Verdict.done();
        });
        Inbound other = new Inbound(delivery -> {
            pause(4_000);
            return Verdict.done();
        });
        subscribe(bus, ORDERS, slow);
        subscribe(bus(), ORDERS, other);

        publish(bus, List.of(event("orders", "k")));
        Event last = event("orders", "k");
        publish(bus, List.of(last));

        Await.until("the second event", () -> both(slow, other).contains(last));
        assertThat(both(slow, other)).hasSize(2);
    }

    @Test
    void noMoreThanThePrefetchIsHereUnsettled() {
        Bus bus = bus();
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger most = new AtomicInteger();
        Subscription[] own = new Subscription[1];
        Inbound inbound = new Inbound(delivery -> {
            awaitUnlessInterrupted(go);
            Subscription subscription = own[0];
            most.accumulateAndGet(
                    subscription == null ? 0 : subscription.status().unsettled(), Math::max);
            return Verdict.done();
        });
        own[0] = subscribe(bus, ORDERS.concurrency(3).prefetch(5), inbound);

        publish(bus, events(50, 50));
        inbound.await(3);
        assertThat(inbound.count()).isEqualTo(3);
        go.countDown();

        inbound.await(50);
        assertThat(most.get()).isBetween(1, 5);
    }

    @Test
    void hostileBytesReachTheUndecodablePathAndKillNothing() {
        Bus bus = bus();
        Inbound inbound = new Inbound();
        Subscription subscription = subscribe(bus, ORDERS, inbound);
        Event before = event("orders", "before");
        publish(bus, List.of(before));
        inbound.await(1);
        byte[] hostile = {(byte) 0xFF, 0, '{', (byte) 0xC3, '"'};
        boolean injected = broker().inject(prefix(), "orders", hostile)
                && broker().inject(prefix(), "orders", new byte[0])
                && broker().inject(prefix(), "orders", "{\"id\":\"nonsense\"}".getBytes(UTF_8));
        require(injected, "nothing but events can get there");

        Event after = event("orders", "after");
        publish(bus, List.of(after));
        inbound.await(2);

        assertThat(inbound.events()).containsExactly(before, after);
        Await.until("three to be undecodable", () -> inbound.undecodable().size() == 3);
        Await.until(
                "them to be dead letters",
                () -> broker().deadLetters(prefix(), ORDERS, "orders").size() == 3);
        assertThat(Set.copyOf(broker().deadLetters(prefix(), ORDERS, "orders").stream()
                        .map(ByteBuffer::wrap)
                        .toList()))
                .contains(ByteBuffer.wrap(hostile));
        assertThat(subscription.status().totals().undecodable()).isEqualTo(3);
    }

    static List<Event> both(Inbound first, Inbound second) {
        List<Event> both = new ArrayList<>(first.events());
        both.addAll(second.events());
        return both;
    }

    private static void pause(long millis) {
        awaitFor(new CountDownLatch(1), millis);
    }

    private static void awaitUnlessInterrupted(CountDownLatch latch) {
        awaitFor(latch, 60_000);
    }

    private static void awaitFor(CountDownLatch latch, long millis) {
        try {
            var unused = latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while handling", stopped);
        }
    }
}
