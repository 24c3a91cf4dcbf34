package dev.posthorn.transports.snssqs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Subscriber;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Makes or looks for what a subscriber needs: its queue, the queue of its dead letters, and its subscriptions. */
final class Queues {

    /** The longest there is: 14 days. Amazon's own 4 are over after a long weekend. */
    private static final String RETENTION_SECONDS = Integer.toString(14 * 24 * 60 * 60);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final SnsSqsConfig config;
    private final SqsClient sqs;
    private final Topics topics;
    private final TopicSubscriptions subscriptions;

    Queues(SnsSqsConfig config, Clients clients) {
        this.config = config;
        this.sqs = clients.sqs();
        this.topics = new Topics(config, clients);
        this.subscriptions = new TopicSubscriptions(clients.sns(), config.rawDelivery());
    }

    /** Throws what Amazon says, or {@link PosthornException} with what is missing. */
    QueueAddress provide(Layout layout, Subscriber subscriber) {
        if (config.provision().creates()) {
            return create(layout, subscriber);
        }
        QueueAddress address = new QueueAddress(
                existing(DestinationKind.QUEUE, layout.queue()),
                existing(DestinationKind.DEAD_LETTERS, layout.deadLetters()));
        if (config.provision().verifies()) {
            verify(address.queue(), layout);
        }
        return address;
    }

    private String existing(DestinationKind kind, String queue) {
        String url = find(queue).orElseThrow(() -> missing(kind, queue));
        config.provision().found(kind, queue);
        return url;
    }

    private PosthornException missing(DestinationKind kind, String queue) {
        if (!config.provision().isOff()) {
            config.provision().register().missing(kind, queue);
        }
        return new PosthornException(config.provision().missing(kind, queue));
    }

    private Optional<String> find(String queue) {
        try {
            return Optional.of(urlOf(queue));
        } catch (RuntimeException failure) {
            if (!Failures.isMissing(failure)) {
                throw failure;
            }
            return Optional.empty();
        }
    }

    private String urlOf(String queue) {
        return sqs.getQueueUrl(request -> {
                    request.queueName(queue);
                    config.access().account().ifPresent(request::queueOwnerAWSAccountId);
                })
                .queueUrl();
    }

    private void verify(String queue, Layout layout) {
        String redrive = attributesOf(queue).getOrDefault(QueueAttributeName.REDRIVE_POLICY, "{}");
        String target = read(redrive).path("deadLetterTargetArn").asText();
        if (!target.endsWith(":" + layout.deadLetters())) {
            throw new PosthornException(
                    "the queue " + layout.queue() + " has no redrive policy to " + layout.deadLetters());
        }
    }

    /** The queue of dead letters comes first, and the subscription last: nothing may arrive before there is a place for it. */
    private QueueAddress create(Layout layout, Subscriber subscriber) {
        String deadLetters = ensure(DestinationKind.DEAD_LETTERS, layout.deadLetters());
        String queue = ensure(DestinationKind.QUEUE, layout.queue());
        String deadArn = attributesOf(deadLetters).getOrDefault(QueueAttributeName.QUEUE_ARN, "");
        Map<QueueAttributeName, String> present = attributesOf(queue);
        String arn = present.getOrDefault(QueueAttributeName.QUEUE_ARN, "");
        Set<String> topicArns = new LinkedHashSet<>();
        layout.topics().forEach(topic -> topicArns.add(addressOf(topic)));
        Map<QueueAttributeName, String> changes = new EnumMap<>(QueueAttributeName.class);
        if (!present.containsKey(QueueAttributeName.REDRIVE_POLICY)) {
            changes.put(
                    QueueAttributeName.REDRIVE_POLICY,
                    "{\"deadLetterTargetArn\":\"" + deadArn + "\",\"maxReceiveCount\":\""
                            + config.limits().maxReceives() + "\"}");
        }
        String policy = IamPolicies.ofQueue(arn, topicArns);
        String old = present.getOrDefault(QueueAttributeName.POLICY, "");
        if (old.isEmpty() || (isOurs(read(old)) && !read(old).equals(read(policy)))) {
            changes.put(QueueAttributeName.POLICY, policy);
        }
        if (!changes.isEmpty()) {
            var unused =
                    sqs.setQueueAttributes(request -> request.queueUrl(queue).attributes(changes));
        }
        topicArns.forEach(topic -> subscriptions.ensure(topic, arn, subscriber));
        return new QueueAddress(queue, deadLetters);
    }

    /** It may have been deleted since, by whoever deleted the queue. */
    private String addressOf(String topic) {
        topics.forget(topic);
        return topics.addressOf(topic);
    }

    /** A policy that somebody else has written is left alone. */
    private static boolean isOurs(JsonNode policy) {
        return "posthorn".equals(policy.path("Statement").path(0).path("Sid").asText());
    }

    /** One that exists is left as it is, whatever it is like. */
    private String ensure(DestinationKind kind, String queue) {
        Optional<String> found = find(queue);
        if (found.isEmpty() && !config.provision().mayCreate(kind, queue)) {
            throw missing(kind, queue);
        }
        String url = found.orElseGet(() -> created(queue));
        config.provision().found(kind, queue);
        return url;
    }

    private String created(String queue) {
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
        attributes.put(QueueAttributeName.CONTENT_BASED_DEDUPLICATION, "false");
        attributes.put(QueueAttributeName.DEDUPLICATION_SCOPE, "messageGroup");
        attributes.put(QueueAttributeName.FIFO_THROUGHPUT_LIMIT, "perMessageGroupId");
        attributes.put(QueueAttributeName.MESSAGE_RETENTION_PERIOD, RETENTION_SECONDS);
        attributes.put(
                QueueAttributeName.VISIBILITY_TIMEOUT,
                Long.toString(config.timing().visibility().toSeconds()));
        return sqs.createQueue(request -> request.queueName(queue).attributes(attributes))
                .queueUrl();
    }

    private Map<QueueAttributeName, String> attributesOf(String queue) {
        return sqs.getQueueAttributes(request -> request.queueUrl(queue)
                        .attributeNames(
                                QueueAttributeName.QUEUE_ARN,
                                QueueAttributeName.POLICY,
                                QueueAttributeName.REDRIVE_POLICY))
                .attributes();
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException odd) {
            return JSON.createObjectNode();
        }
    }
}
