package dev.posthorn.benchmarks;

import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transports.snssqs.AwsAccess;
import dev.posthorn.transports.snssqs.SnsSqsConfig;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;

/** SNS and SQS, as an emulator: what it measures is the transport's own work, not Amazon. */
final class SnsSqsKind implements BrokerKind {

    private static final String REGION = "eu-central-1";
    private static final int CALLS = 8;
    private static final int TOGETHER = 10;

    @Override
    public String name() {
        return "sns-sqs";
    }

    @Override
    public double promised() {
        return 0;
    }

    @Override
    public RunningBroker start() {
        EmbeddedSnsSqs broker = EmbeddedSnsSqs.start();
        return new RunningBroker() {
            @Override
            public Bus open(String prefix) {
                return new SnsSqsTransport(SnsSqsConfig.of(
                                AwsAccess.in(REGION).endpoint(broker.endpoint()).credentials("any", "any"))
                        .prefix(prefix));
            }

            @Override
            public PlainClient client(String prefix) {
                return new Client(broker.endpoint(), prefix + "-plain.fifo");
            }

            /** Nobody keeps anything there: what no queue is subscribed to is gone at once. */
            @Override
            public void clear(String prefix) {}

            @Override
            public void close() {
                broker.close();
            }
        };
    }

    /** Ten events in a call, as many calls at once as the transport makes; the order of a key is left to chance. */
    private static final class Client implements PlainClient {

        private final SnsClient sns;
        private final ExecutorService threads = Executors.newFixedThreadPool(CALLS);
        private final String topic;

        Client(URI endpoint, String topic) {
            this.sns = SnsClient.builder()
                    .httpClient(
                            Apache5HttpClient.builder().maxConnections(CALLS).build())
                    .endpointOverride(endpoint)
                    .region(Region.of(REGION))
                    .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
                    .build();
            this.topic = sns.createTopic(request -> request.name(topic).attributes(Map.of("FifoTopic", "true")))
                    .topicArn();
        }

        @Override
        public void publish(List<Event> events, Consumer<Event> confirmed) {
            List<Future<?>> answers = new ArrayList<>();
            for (int from = 0; from < events.size(); from += TOGETHER) {
                List<Event> some = events.subList(from, Math.min(events.size(), from + TOGETHER));
                answers.add(threads.submit(() -> send(some, confirmed)));
            }
            for (Future<?> answer : answers) {
                Answers.await(answer);
            }
        }

        private void send(List<Event> events, Consumer<Event> confirmed) {
            var unused = sns.publishBatch(request -> request.topicArn(topic)
                    .publishBatchRequestEntries(
                            events.stream().map(Client::entry).toList()));
            events.forEach(confirmed);
        }

        private static PublishBatchRequestEntry entry(Event event) {
            Map<String, MessageAttributeValue> attributes = new HashMap<>();
            Map.of(EventMessage.DOMAIN, event.domain(), EventMessage.TYPE, event.type())
                    .forEach((name, value) -> attributes.put(
                            name,
                            MessageAttributeValue.builder()
                                    .dataType("String")
                                    .stringValue(value)
                                    .build()));
            return PublishBatchRequestEntry.builder()
                    .id(event.id().toString())
                    .message(new String(event.payloadBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .messageAttributes(attributes)
                    .messageGroupId(event.key().orElse(event.id().toString()))
                    .messageDeduplicationId(event.id().toString())
                    .build();
        }

        @Override
        public void close() {
            threads.shutdownNow();
            sns.close();
        }
    }
}
