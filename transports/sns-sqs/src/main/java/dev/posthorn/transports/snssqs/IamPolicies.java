package dev.posthorn.transports.snssqs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Subscriber;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fewest rights that a process needs at Amazon, as JSON for IAM, where topics and queues are made by others and nothing
 * is looked for ({@link dev.posthorn.transport.Provision#OFF}).
 *
 * <p>With {@code VERIFY} a producer needs {@code sns:GetTopicAttributes} besides, and a consumer {@code
 * sqs:GetQueueAttributes}, on the same topic and queue.
 */
public final class IamPolicies {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private IamPolicies() {}

    /** Publishes to its topic and does nothing else; to its topics, if their name depends on the event. */
    public static String producer(SnsSqsConfig config) {
        String topic = config.access().arn("sns", Layout.anyTopic(config.names()));
        return policy(List.of(statement("PublishEvents", List.of("sns:Publish"), topic)));
    }

    /** Reads the subscriber's own queue, and adds to its own dead letters. */
    public static String consumer(SnsSqsConfig config, Subscriber subscriber) {
        Layout layout = Layout.of(config.names(), subscriber);
        return policy(List.of(
                statement(
                        "ReadOwnQueue",
                        List.of(
                                "sqs:GetQueueUrl",
                                "sqs:ReceiveMessage",
                                "sqs:ChangeMessageVisibility",
                                "sqs:DeleteMessage"),
                        config.access().arn("sqs", layout.queue())),
                statement(
                        "AddDeadLetters",
                        List.of("sqs:GetQueueUrl", "sqs:SendMessage"),
                        config.access().arn("sqs", layout.deadLetters()))));
    }

    /** Of the queue itself: these topics, and nobody else, may put messages into it. */
    static String ofQueue(String queueArn, Collection<String> topicArns) {
        Map<String, Object> statement = statement("posthorn", List.of("sqs:SendMessage"), queueArn);
        statement.put("Principal", Map.of("Service", "sns.amazonaws.com"));
        statement.put("Condition", Map.of("ArnEquals", Map.of("aws:SourceArn", List.copyOf(topicArns))));
        return policy(List.of(statement));
    }

    private static Map<String, Object> statement(String sid, List<String> actions, String resource) {
        Map<String, Object> statement = new LinkedHashMap<>();
        statement.put("Sid", sid);
        statement.put("Effect", "Allow");
        statement.put("Action", actions);
        statement.put("Resource", resource);
        return statement;
    }

    private static String policy(List<Map<String, Object>> statements) {
        Map<String, Object> policy = new LinkedHashMap<>();
        policy.put("Version", "2012-10-17");
        policy.put("Statement", statements);
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(policy);
        } catch (JsonProcessingException impossible) {
            throw new PosthornException("Cannot write a policy: " + impossible.getOriginalMessage(), impossible);
        }
    }
}
