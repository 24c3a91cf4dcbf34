package dev.posthorn.transports.snssqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** SQS gives several messages of a group at once, which the emulator does not: so three groups stand for two here. */
@Tag("slow")
class HeartbeatTest extends SnsSqsTests {

    private static final Duration VISIBILITY = Duration.ofMinutes(5);

    private final Event first = event("first");
    private final Event second = event("second");
    private final Event other = event("other");

    @Test
    void whatFollowsALostMessageInItsGroupIsLostTooAndGivenBack() {
        SnsSqsConfig config = config();
        QueueAddress address = new Queues(config, broker.admin()).provide(Layout.of(config.names(), BILLING), BILLING);
        SnsSqsTransport transport = open(config);
        for (Event event : List.of(first, second, other)) {
            publish(transport, event);
        }
        List<Message> messages = receiveAll(address.queue(), 3);
        CountDownLatch go = new CountDownLatch(1);
        Inbound inbound = new Inbound(delivery -> {
            if (delivery.event().equals(first)) {
                Await.until("the heartbeat", () -> go.getCount() == 0);
            }
            return Verdict.done();
        });
        Holdings holdings = new Holdings();
        Settlements settlements = new Settlements(sqs, new DeadLetters(sqs, "billing"), holdings);
        Handout handout = closing(
                new Handout(Subscriber.named("billing").domains("orders").concurrency(1), inbound, 10));
        String group = group(messages.get(0));
        List<Message> asFromSqs = List.of(messages.get(0), inGroup(messages.get(1), group), messages.get(2));
        for (Message message : asFromSqs) {
            SqsArrival arrival =
                    new SqsArrival(message, "billing", settlements, System.nanoTime() + VISIBILITY.toNanos());
            assertThat(holdings.add(arrival, 0)).isTrue();
            handout.offer(Wire.received(message).message(), arrival);
        }
        inbound.await(1);
        giveToAnother(address.queue(), messages.get(0));

        new Heartbeat(sqs, () -> address, holdings, handout, VISIBILITY).runOnce();
        go.countDown();

        Await.until("the other group", () -> inbound.events().contains(other));
        assertThat(inbound.events()).containsExactly(first, other);
        assertThat(holdings.all().stream().map(SqsArrival::id))
                .doesNotContain(messages.get(0).messageId());
        assertThat(settlements.runOnce(address)).isTrue();
        assertThat(holdings.all()).isEmpty();
        assertThat(receiveAll(address.queue(), 1))
                .extracting(Message::messageId)
                .containsExactly(messages.get(1).messageId());
    }

    /** In the order of the queue. */
    private List<Message> receiveAll(String queue, int count) {
        List<Message> all = new ArrayList<>();
        Await.until(() -> count + " messages, got " + all, () -> {
            all.addAll(TestSnsSqs.receive(sqs, queue, 1));
            return all.size() >= count;
        });
        assertThat(all).hasSize(count);
        return all.stream()
                .sorted(Comparator.comparing(
                        message -> message.attributes().get(MessageSystemAttributeName.SEQUENCE_NUMBER)))
                .toList();
    }

    private static String group(Message message) {
        return message.attributes().getOrDefault(MessageSystemAttributeName.MESSAGE_GROUP_ID, "");
    }

    private static Message inGroup(Message message, String group) {
        Map<MessageSystemAttributeName, String> attributes = new HashMap<>(message.attributes());
        attributes.put(MessageSystemAttributeName.MESSAGE_GROUP_ID, group);
        return message.toBuilder().attributes(attributes).build();
    }

    private void giveToAnother(String queue, Message message) {
        var unused = sqs.changeMessageVisibility(request ->
                request.queueUrl(queue).receiptHandle(message.receiptHandle()).visibilityTimeout(0));
        assertThat(receiveAll(queue, 1)).extracting(Message::messageId).containsExactly(message.messageId());
    }
}
