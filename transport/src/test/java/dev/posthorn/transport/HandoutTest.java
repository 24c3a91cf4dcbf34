package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class HandoutTest {

    private static final Subscriber SUBSCRIBER =
            Subscriber.named("test").concurrency(2).drainTime(Duration.ofMillis(200));

    private final BlockingQueue<Delivery> handed = new LinkedBlockingQueue<>();
    private final Handout handout = new Handout(SUBSCRIBER, handed::add, 10);

    @AfterEach
    void close() {
        List<Delivery> rest = new ArrayList<>();
        handed.drainTo(rest);
        rest.forEach(delivery -> delivery.settle(Verdict.done()));
        handout.close();
    }

    @Test
    void aReceiverThatLeavesTheInterruptFlagSetEndsNoWorker() throws InterruptedException {
        BlockingQueue<Delivery> received = new LinkedBlockingQueue<>();
        Receiver rude = delivery -> {
            received.add(delivery);
            delivery.settle(delivery.attempt() == 1 ? Verdict.retry(Duration.ofMillis(20)) : Verdict.done());
            Thread.currentThread().interrupt();
        };
        try (Handout interrupted = new Handout(SUBSCRIBER, rude, 20)) {
            for (int i = 0; i < 10; i++) {
                interrupted.offer(event("key-" + i), new Told(event("key-" + i), false));
            }

            for (int i = 0; i < 20; i++) {
                assertThat(received.poll(10, TimeUnit.SECONDS))
                        .as("delivery " + (i + 1) + " of 20")
                        .isNotNull();
            }
        }
    }

    @Test
    void ofOneKeyOneIsHandedOverAtATime() throws InterruptedException {
        Told first = offer(event("k"));
        Told second = offer(event("k"));
        Told other = offer(event("other"));

        Delivery one = take();
        Delivery two = take();
        assertThat(List.of(one.event(), two.event())).containsExactlyInAnyOrder(first.event, other.event);
        assertThat(handed).isEmpty();
        (one.event().equals(first.event) ? one : two).settle(Verdict.done());

        assertThat(take().event()).isEqualTo(second.event);
        assertThat(first.said).containsExactly("done");
    }

    @Test
    void aRetryKeepsItsPlaceAndCounts() throws InterruptedException {
        Told head = offer(event("k"));
        Told behind = offer(event("k"));

        take().settle(Verdict.retry(Duration.ofMillis(20)));

        Delivery again = take();
        assertThat(again.event()).isEqualTo(head.event);
        assertThat(again.attempt()).isEqualTo(2);
        again.settle(Verdict.done());
        assertThat(take().event()).isEqualTo(behind.event);
        assertThat(head.said).containsExactly("retry", "done");
    }

    @Test
    void whatTheBrokerTakesBackForARetryOpensItsKey() throws InterruptedException {
        Told head = new Told(event("k"), true);
        handout.offer(head.event, head);
        Told behind = offer(event("k"));

        take().settle(Verdict.retry(Duration.ofHours(1)));

        assertThat(take().event()).isEqualTo(behind.event);
    }

    @Test
    void onlyTheFirstVerdictCountsAlsoAfterARetry() throws InterruptedException {
        Told head = offer(event("k"));
        Delivery first = take();
        first.settle(Verdict.retry(Duration.ZERO));
        first.settle(Verdict.done());
        Delivery second = take();

        first.settle(Verdict.done());

        assertThat(head.said).containsExactly("retry");
        second.settle(Verdict.reject("no"));
        assertThat(head.said).containsExactly("retry", "reject");
        assertThat(handout.status(Optional.empty()).totals()).isEqualTo(new Subscription.Totals(0, 1, 1, 0));
    }

    @Test
    void whatIsForgottenWhileItIsHandledHoldsItsKeyAndTellsNobody() throws InterruptedException {
        Told lost = offer(event("k"));
        Delivery running = take();

        handout.forget(arrival -> arrival == lost);
        Told again = new Told(lost.event, false);
        handout.offer(again.event, again);
        assertThat(handed.poll(100, TimeUnit.MILLISECONDS)).as("a parallel run").isNull();
        running.settle(Verdict.done());

        take().settle(Verdict.done());
        assertThat(lost.said).isEmpty();
        assertThat(again.said).containsExactly("done");
    }

    @Test
    void whatIsForgottenBeforeItIsHandedOverNeverIs() throws InterruptedException {
        offer(event("k"));
        Told lost = offer(event("k"));
        Told next = offer(event("k"));
        Delivery head = take();

        handout.forget(arrival -> arrival == lost);
        head.settle(Verdict.done());

        assertThat(take().event()).isEqualTo(next.event);
    }

    @Test
    void whatIsWithdrawnIsNotHandedOverAndWhatIsAtHandIsSettledAsEver() throws InterruptedException {
        Told begun = offer(event("a"));
        Delivery running = take();
        Told behind = offer(event("a"));

        int withdrawn = handout.withdraw(arrival -> arrival == begun || arrival == behind);
        running.settle(Verdict.done());

        assertThat(withdrawn).isEqualTo(1);
        assertThat(begun.said).containsExactly("done");
        assertThat(handed.poll(100, TimeUnit.MILLISECONDS))
                .as("what was withdrawn")
                .isNull();
        assertThat(behind.said).isEmpty();
    }

    @Test
    void roomIsThePrefetchLessWhatIsNotSettled() throws InterruptedException {
        offer(event("k"));
        offer(event("k"));
        assertThat(handout.room()).isEqualTo(8);

        take().settle(Verdict.done());

        assertThat(handout.awaitRoom(9, Duration.ofSeconds(10))).isEqualTo(9);
        assertThat(handout.awaitRoom(10, Duration.ofMillis(10))).isEqualTo(9);
    }

    @Test
    void closingWaitsForWhatRunsAndGivesTheRestBackInOrder() throws InterruptedException {
        Told running = offer(event("k"));
        Told second = offer(event("k"));
        Told third = offer(event("k"));
        Delivery head = take();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(handout::close);
        assertThat(closing).isNotDone();
        head.settle(Verdict.done());
        closing.join();

        assertThat(running.said).containsExactly("done");
        assertThat(second.said).containsExactly("giveBack");
        assertThat(third.said).containsExactly("giveBack");
        assertThat(offer(event("k")).said).containsExactly("giveBack");
    }

    @Test
    void aThrowIsARetryThatIsVisible() throws InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        try (Handout failing = new Handout(
                SUBSCRIBER.drainTime(Duration.ZERO),
                delivery -> {
                    twice.countDown();
                    throw new AssertionError("out of stock");
                },
                10)) {
            Told told = new Told(event("k"), false);
            failing.offer(told.event, told);

            assertThat(twice.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(told.said).startsWith("retry");
            assertThat(failing.status(Optional.empty()).trouble()).contains("AssertionError: out of stock");
        }
    }

    @Test
    void whatIsNoEventIsRejectedUnlessTheReceiverSaysOtherwise() {
        Told told = new Told(event("unused"), false);

        handout.offer(new Message(Map.of("posthorn-id", "nonsense"), new byte[] {1}), told);

        told.await();
        handout.close();
        assertThat(told.said).containsExactly("reject");
        assertThat(handout.status(Optional.empty()).totals().undecodable()).isEqualTo(1);
    }

    @Test
    void whatTheSubscriberDoesNotWantIsDoneAtOnce() {
        try (Handout picky = new Handout(SUBSCRIBER.domains("stock"), handed::add, 10)) {
            Told told = new Told(event("k"), false);

            picky.offer(told.event, told);

            assertThat(told.said).containsExactly("done");
        }
    }

    private Told offer(Event event) {
        Told told = new Told(event, false);
        handout.offer(event, told);
        return told;
    }

    private Delivery take() throws InterruptedException {
        @Nullable Delivery delivery = handed.poll(10, TimeUnit.SECONDS);
        assertThat(delivery).as("a delivery").isNotNull();
        return delivery;
    }

    private static Event event(String key) {
        return Event.of("orders", "Placed").key(key).build();
    }

    /** An arrival that writes down what it is told. */
    private static final class Told implements Arrival {

        private final Event event;
        private final boolean takesBack;
        private final List<String> said = new java.util.concurrent.CopyOnWriteArrayList<>();
        private final CountDownLatch settled = new CountDownLatch(1);

        Told(Event event, boolean takesBack) {
            this.event = event;
            this.takesBack = takesBack;
        }

        void await() {
            try {
                assertThat(settled.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private void say(String word) {
            said.add(word);
            settled.countDown();
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of();
        }

        @Override
        public void done() {
            say("done");
        }

        @Override
        public void reject(String reason, Map<String, String> about) {
            say("reject");
        }

        @Override
        public boolean retry(Duration after, String reason) {
            said.add("retry");
            return takesBack;
        }

        @Override
        public void giveBack() {
            say("giveBack");
        }
    }
}
