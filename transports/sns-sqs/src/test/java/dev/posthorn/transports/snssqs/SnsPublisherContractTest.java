package dev.posthorn.transports.snssqs;

import dev.posthorn.testkit.PublisherContract;
import dev.posthorn.testkit.Received;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Transport;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** What is in a subscriber's queue has arrived, in the order of its sequence numbers; one call at a time is in order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class SnsPublisherContractTest extends PublisherContract {

    private final Map<String, Received> received = new TreeMap<>(Comparator.naturalOrder());
    private TestSnsSqs broker;
    private String queue = "";

    @BeforeAll
    void start() {
        broker = TestSnsSqs.start();
    }

    @AfterAll
    void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Override
    protected Transport open() {
        received.clear();
        SnsSqsConfig config = broker.config("t" + UUID.randomUUID().toString().substring(0, 8))
                .limits(new SnsSqsConfig.Limits(100, 1, 10));
        Subscriber all = Subscriber.named("all");
        queue = new Queues(config, broker.admin())
                .provide(Layout.of(config.names(), all), all)
                .queue();
        return new SnsSqsTransport(config);
    }

    @Override
    protected List<Received> received() {
        for (List<Message> more = take(); !more.isEmpty(); more = take()) {
            more.forEach(message -> received.put(
                    message.attributes().get(MessageSystemAttributeName.SEQUENCE_NUMBER),
                    Received.of(EventMessage.read(Wire.received(message).message()))));
        }
        return List.copyOf(received.values());
    }

    private List<Message> take() {
        List<Message> messages = TestSnsSqs.receive(broker.admin().sqs(), queue, 0);
        if (!messages.isEmpty()) {
            broker.admin()
                    .sqs()
                    .deleteMessageBatch(request -> request.queueUrl(queue)
                            .entries(messages.stream()
                                    .map(message -> DeleteMessageBatchRequestEntry.builder()
                                            .id(message.messageId())
                                            .receiptHandle(message.receiptHandle())
                                            .build())
                                    .toList()));
        }
        return messages;
    }

    @Override
    protected Optional<Runnable> stall() {
        broker.server().freeze();
        return Optional.of(broker.server()::thaw);
    }
}
