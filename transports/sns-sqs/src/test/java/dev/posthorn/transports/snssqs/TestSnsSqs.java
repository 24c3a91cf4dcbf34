package dev.posthorn.transports.snssqs;

import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** A private emulator of SNS and SQS, and a client of Amazon's that knows nothing of the transport. */
final class TestSnsSqs implements TestBroker {

    static final String SECRET = "s3cret-of-the-test";
    /** Deadlines of about a second, so that handlers outlast them. */
    static final SnsSqsConfig.Timing TIMING =
            new SnsSqsConfig.Timing(Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(1));

    private final EmbeddedSnsSqs server;
    private final boolean raw;
    private final Clients admin;
    private final Forwarder network;
    /** Received ones are hidden from the next look, so they are kept here. */
    private final Map<String, Map<String, Message>> letters = new ConcurrentHashMap<>();

    private TestSnsSqs(EmbeddedSnsSqs server, boolean raw) {
        this.server = server;
        this.raw = raw;
        this.network = Forwarder.to(server.endpoint().getPort());
        this.admin = new Clients(config("admin"), 10);
    }

    static TestSnsSqs start() {
        return start(true);
    }

    static TestSnsSqs start(boolean raw) {
        EmbeddedSnsSqs.obstacle().ifPresent(why -> {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("Nothing is tested with SNS and SQS: " + why);
            Assumptions.abort(why);
        });
        return new TestSnsSqs(EmbeddedSnsSqs.start(), raw);
    }

    EmbeddedSnsSqs server() {
        return server;
    }

    Clients admin() {
        return admin;
    }

    AwsAccess access() {
        return AwsAccess.in("eu-central-1").endpoint(server.endpoint()).credentials("test-key", SECRET);
    }

    SnsSqsConfig config(String prefix) {
        return SnsSqsConfig.of(access()).prefix(prefix).rawDelivery(raw).timing(TIMING);
    }

    @Override
    public Bus open(String prefix) {
        return new SnsSqsTransport(config(prefix));
    }

    @Override
    public Bus openLenient(String prefix) {
        return open(prefix);
    }

    String url(String queue) {
        return admin.sqs().getQueueUrl(request -> request.queueName(queue)).queueUrl();
    }

    /** Straight into the queue of the one subscriber that the tests have: SNS would filter it out. */
    @Override
    public boolean inject(String prefix, String domain, byte[] bytes) {
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        attributes.put(
                Wire.ENCODING,
                MessageAttributeValue.builder()
                        .dataType("String")
                        .stringValue(bytes.length == 0 ? "empty" : "base64")
                        .build());
        String text = bytes.length == 0 ? "empty" : Base64.getEncoder().encodeToString(bytes);
        String id = UUID.randomUUID().toString();
        admin.sqs()
                .sendMessage(request -> request.queueUrl(url(prefix + "-billing.fifo"))
                        .messageBody(text)
                        .messageAttributes(attributes)
                        .messageGroupId(id)
                        .messageDeduplicationId(id));
        return true;
    }

    @Override
    public List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain) {
        return deadLetters(prefix + "-" + subscriber.name() + "-dlq.fifo").stream()
                .map(message -> Wire.received(message).message().body())
                .toList();
    }

    @Override
    public List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain) {
        return deadLetters(prefix + "-" + subscriber.name() + "-dlq.fifo").stream()
                .map(letter -> letter.body() + letter.messageAttributes())
                .toList();
    }

    List<Message> deadLetters(String queue) {
        Map<String, Message> seen = letters.computeIfAbsent(queue, any -> new ConcurrentHashMap<>());
        try {
            List<Message> more = receive(admin.sqs(), url(queue), 0);
            while (!more.isEmpty()) {
                more.forEach(message -> seen.put(message.messageId(), message));
                more = receive(admin.sqs(), url(queue), 0);
            }
        } catch (QueueDoesNotExistException notYet) {
            return List.of();
        }
        return new ArrayList<>(seen.values());
    }

    static List<Message> receive(SqsClient sqs, String url, int seconds) {
        return sqs.receiveMessage(request -> request.queueUrl(url)
                        .maxNumberOfMessages(10)
                        .waitTimeSeconds(seconds)
                        .visibilityTimeout(600)
                        .messageAttributeNames("All")
                        .messageSystemAttributeNames(
                                software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName.ALL))
                .messages();
    }

    @Override
    public Optional<BrokerFaults> faults() {
        return Optional.of(new BrokerFaults() {
            @Override
            public void kill() {
                server.kill();
            }

            @Override
            public void start() {
                server.startAgain();
            }

            @Override
            public void freeze() {
                server.freeze();
            }

            @Override
            public void thaw() {
                server.thaw();
            }

            @Override
            public Optional<Forwarder> network() {
                return Optional.of(network);
            }

            @Override
            public Bus openThroughNetwork(String prefix) {
                return new SnsSqsTransport(
                        config(prefix).access(access().endpoint(URI.create("http://127.0.0.1:" + network.port()))));
            }
        });
    }

    @Override
    public void close() {
        admin.close();
        network.close();
        server.close();
    }
}
