package dev.posthorn.transports.snssqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

@Tag("slow")
class ReceivingTrapsTest extends SnsSqsTests {

    @Test
    void whatIsHandledIsDeletedWhenCloseReturns() {
        SnsSqsTransport transport = transport();
        Inbound inbound = new Inbound();
        Subscription subscription = closing(transport.subscribe(BILLING, inbound));
        publish(transport, IntStream.range(0, 25).mapToObj(i -> event("k" + i)).toArray(Event[]::new));
        inbound.await(25);

        subscription.close();

        assertThat(counts(prefix + "-billing.fifo")).isEqualTo("0 and 0 in flight");
    }

    private String counts(String queue) {
        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(
                        request -> request.queueUrl(broker.url(queue)).attributeNames(QueueAttributeName.ALL))
                .attributes();
        return attributes.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES) + " and "
                + attributes.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE) + " in flight";
    }

    @Test
    void whatWasNotHandledIsVisibleAtOnceWhenCloseReturns() throws InterruptedException {
        SnsSqsTransport transport = open(config().timing(TestSnsSqs.TIMING.visibility(Duration.ofMinutes(10))));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Subscriber impatient = BILLING.concurrency(1).prefetch(10).drainTime(Duration.ofMillis(1));
        Subscription subscription = closing(transport.subscribe(impatient, new Inbound(delivery -> {
            begun.countDown();
            await(never);
            return Verdict.done();
        })));
        publish(transport, IntStream.range(0, 10).mapToObj(i -> event("k" + i)).toArray(Event[]::new));
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        Await.until("all to be here", () -> counts(prefix + "-billing.fifo").equals("0 and 10 in flight"));

        subscription.close();

        assertThat(counts(prefix + "-billing.fifo")).isEqualTo("10 and 0 in flight");
    }

    private static void await(CountDownLatch latch) {
        try {
            var unused = latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aDeadLetterIsTheMessageAsItCameWithTheReason() {
        SnsSqsTransport transport = transport();
        closing(transport.subscribe(BILLING, new Inbound(delivery -> Verdict.reject("not for us"))));
        Event event = event("k");

        publish(transport, event);

        Await.until(
                "the dead letter",
                () -> broker.deadLetters(prefix + "-billing-dlq.fifo").size() == 1);
        Message letter = broker.deadLetters(prefix + "-billing-dlq.fifo").get(0);
        assertThat(letter.body()).isEqualTo("k");
        assertThat(letter.messageAttributes()).containsKeys("posthorn-domain", "posthorn-type", "posthorn-event");
        assertThat(about(letter))
                .contains("\"reason\":\"not for us\"", "\"subscriber\":\"billing\"", prefix + "-billing.fifo");
    }

    @Test
    void aStrangersMessageWithTenAttributesBecomesADeadLetterWithAllOfThem() {
        SnsSqsTransport transport = transport();
        Inbound inbound = new Inbound();
        closing(transport.subscribe(BILLING, inbound));
        Map<String, MessageAttributeValue> ten = new HashMap<>();
        IntStream.range(0, 10)
                .forEach(i -> ten.put(
                        "name-" + i,
                        MessageAttributeValue.builder()
                                .dataType("String")
                                .stringValue("value-" + i)
                                .build()));

        send(prefix + "-billing.fifo", "plain text of somebody else", ten);

        Await.until(
                "the dead letter",
                () -> broker.deadLetters(prefix + "-billing-dlq.fifo").size() == 1);
        Message letter = broker.deadLetters(prefix + "-billing-dlq.fifo").get(0);
        assertThat(letter.body()).isEqualTo("plain text of somebody else");
        assertThat(letter.messageAttributes()).hasSize(10).containsKeys("name-0", "name-8", "posthorn-dead");
        assertThat(about(letter)).contains("\"attributes\":{\"name-9\":\"value-9\"}");
    }

    private static String about(Message letter) {
        return Objects.requireNonNull(letter.messageAttributes().get(Wire.DEAD)).stringValue();
    }

    private void send(String queue, String body, Map<String, MessageAttributeValue> attributes) {
        String id = UUID.randomUUID().toString();
        var unused = sqs.sendMessage(request -> request.queueUrl(broker.url(queue))
                .messageBody(body)
                .messageAttributes(attributes)
                .messageGroupId(id)
                .messageDeduplicationId(id));
    }

    @Test
    void whatKillsItsMemberAgainAndAgainIsMovedToTheDeadLettersBySqs() {
        SnsSqsConfig config = config().limits(new SnsSqsConfig.Limits(100, 8, 3));
        String queue = queueOf(config, BILLING);
        publish(open(config), event("poison"));

        for (int i = 0; i < 3; i++) {
            takeAndDie(queue);
        }

        SnsSqsTransport transport = open(config);
        Inbound inbound = new Inbound();
        closing(transport.subscribe(BILLING, inbound));
        Event next = event("next");
        publish(transport, next);
        inbound.await(1);
        Await.until(
                "the dead letter",
                () -> broker.deadLetters(prefix + "-billing-dlq.fifo").size() == 1);
        assertThat(inbound.events()).containsExactly(next);
    }

    /** As a member that takes a message and is heard of no more. */
    private void takeAndDie(String queue) {
        List<Message> taken = sqs.receiveMessage(
                        request -> request.queueUrl(queue).waitTimeSeconds(5).visibilityTimeout(600))
                .messages();
        assertThat(taken).hasSize(1);
        var unused = sqs.changeMessageVisibility(request -> request.queueUrl(queue)
                .receiptHandle(taken.get(0).receiptHandle())
                .visibilityTimeout(0));
    }

    @Test
    void aMemberHasWhatItBeganStaysHiddenWhileOthersOfItsGroupWait() throws InterruptedException {
        SnsSqsTransport transport = transport();
        CountDownLatch go = new CountDownLatch(1);
        Inbound slow = new Inbound(delivery -> {
            await(go);
            return Verdict.done();
        });
        closing(transport.subscribe(BILLING, slow));
        Event head = event("k");
        Event behind = event("k");
        Event other = event("other");
        publish(transport, head, behind, other);
        slow.await(2);
        long end = System.nanoTime()
                + TestSnsSqs.TIMING.visibility().multipliedBy(3).toNanos();

        Inbound elsewhere = new Inbound();
        closing(transport().subscribe(BILLING, elsewhere));
        Await.until("three times the visibility to pass", () -> System.nanoTime() - end > 0);
        assertThat(elsewhere.events()).isEmpty();
        go.countDown();

        Await.until("the one behind", () -> slow.count() + elsewhere.count() == 3);
        assertThat(slow.all().stream().map(Inbound.Got::attempt)).containsOnly(1);
    }

    @Test
    void aRetryHoldsItsGroupAndIsNoDeliveryForSqs() {
        SnsSqsTransport transport = open(config().limits(new SnsSqsConfig.Limits(100, 8, 2)));
        Inbound inbound =
                new Inbound(delivery -> delivery.attempt() < 5 ? Verdict.retry(Duration.ofMillis(10)) : Verdict.done());
        closing(transport.subscribe(BILLING, inbound));
        Event event = event("k");

        publish(transport, event);

        inbound.await(5);
        assertThat(inbound.all().stream().map(Inbound.Got::attempt)).containsExactly(1, 2, 3, 4, 5);
        assertThat(broker.deadLetters(prefix + "-billing-dlq.fifo")).isEmpty();
    }

    @Test
    void aDeliveryToAMemberThatLeavesIsNoAttempt() {
        SnsSqsTransport transport = transport();
        for (int i = 0; i < 10; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            Subscription leaving = transport.subscribe(BILLING.drainTime(Duration.ZERO), delivery -> begun.countDown());
            if (i == 0) {
                publish(transport, event("k"));
            }
            Await.until("it to be begun", () -> begun.getCount() == 0);
            leaving.close();
        }
        Inbound last = new Inbound();

        closing(transport.subscribe(BILLING, last));

        last.await(1);
        assertThat(last.all().get(0).attempt()).isEqualTo(1);
        assertThat(last.all().get(0).deliveries()).isGreaterThan(10);
        assertThat(broker.deadLetters(prefix + "-billing-dlq.fifo")).isEmpty();
    }

    @Test
    void whatSqsMayHaveGivenToAnotherMemberIsNotBegun() {
        SnsSqsTransport transport = transport();
        CountDownLatch go = new CountDownLatch(1);
        Inbound inbound = new Inbound(delivery -> {
            await(go);
            return Verdict.done();
        });
        Subscription subscription =
                closing(transport.subscribe(BILLING.concurrency(1).prefetch(2), inbound));
        publish(transport, event("first"), event("second"));
        Await.until("both to be here", () -> subscription.status().unsettled() == 2 && inbound.count() == 1);
        long end = System.nanoTime()
                + TestSnsSqs.TIMING.visibility().multipliedBy(2).toNanos();

        broker.server().freeze();
        try {
            Await.until("their time to be over", () -> System.nanoTime() - end > 0);
            go.countDown();
            Await.until(
                    () -> "the second to be held back: " + subscription.status(),
                    () -> subscription.status().totals().retried() > 0);
            assertThat(inbound.count()).isEqualTo(1);
        } finally {
            broker.server().thaw();
        }

        Await.until("the second", () -> inbound.first().size() == 2);
    }

    @Test
    void aQueueThatIsMissingIsNamedAndFoundWhenItComes() {
        SnsSqsConfig created = config();
        SnsSqsTransport transport =
                open(created.access(broker.access().account(broker.server().account()))
                        .provision(Provision.VERIFY));
        Inbound inbound = new Inbound();

        Subscription subscription = closing(transport.subscribe(BILLING, inbound));

        assertThat(subscription.status().trouble())
                .hasValueSatisfying(why -> assertThat(why).contains(prefix + "-billing.fifo", "missing"));
        queueOf(created, BILLING);
        Await.until("it to be found", () -> subscription.status().trouble().isEmpty());
        Event event = event("k");
        publish(transport, event);
        inbound.await(1);
        assertThat(inbound.events()).containsExactly(event);
    }

    @Test
    void aQueueWithoutARedrivePolicyIsNotAsItShouldBe() {
        SnsSqsConfig config =
                config().access(broker.access().account(broker.server().account()));
        for (String queue : List.of(prefix + "-billing.fifo", prefix + "-billing-dlq.fifo")) {
            var unused = sqs.createQueue(
                    request -> request.queueName(queue).attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")));
        }

        Subscription subscription =
                closing(open(config.provision(Provision.VERIFY)).subscribe(BILLING, new Inbound()));

        assertThat(subscription.status().trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("redrive policy", prefix + "-billing-dlq.fifo"));
    }

    @Test
    void aWrongWordAmongTheAttributesIsUndecodableAndTheRawTextIsKept() {
        SnsSqsTransport transport = transport();
        Inbound inbound = new Inbound();
        closing(transport.subscribe(Subscriber.named("billing"), inbound));
        Map<String, MessageAttributeValue> attributes = Map.of(
                Wire.EVENT,
                MessageAttributeValue.builder()
                        .dataType("String")
                        .stringValue("{\"posthorn-id\":")
                        .build());

        send(prefix + "-billing.fifo", "{\"Type\":\"Notification\"}", attributes);

        Await.until("it to be undecodable", () -> inbound.undecodable().size() == 1);
        assertThat(new String(inbound.undecodable().get(0), UTF_8)).isEqualTo("{\"Type\":\"Notification\"}");
    }
}
