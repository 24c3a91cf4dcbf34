package dev.posthorn.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A client of SNS and SQS that does not know Posthorn: Amazon's own library, with messages wrapped by SNS. */
final class ForeignSqs implements AutoCloseable {

    /** A message as it was received, out of the notification of SNS. */
    record Received(String message, String group, String deduplication) {}

    private final SnsClient sns;
    private final SqsClient sqs;

    ForeignSqs(EmbeddedSnsSqs broker) {
        var credentials = StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"));
        sns = SnsClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(broker.endpoint())
                .credentialsProvider(credentials)
                .build();
        sqs = SqsClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(broker.endpoint())
                .credentialsProvider(credentials)
                .build();
    }

    /** Creates a topic as the design does; its ARN. */
    String topic(String name) {
        return sns.createTopic(request -> request.name(name)
                        .attributes(Map.of("FifoTopic", "true", "ContentBasedDeduplication", "false")))
                .topicArn();
    }

    /** Creates a queue as the design does, and subscribes it; its URL. */
    String queue(String name, String topic) {
        String url = sqs.createQueue(request -> request.queueName(name)
                        .attributes(Map.of(
                                QueueAttributeName.FIFO_QUEUE, "true", QueueAttributeName.VISIBILITY_TIMEOUT, "60")))
                .queueUrl();
        String arn = sqs.getQueueAttributes(
                        request -> request.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN);
        sns.subscribe(request -> request.topicArn(topic).protocol("sqs").endpoint(arn));
        return url;
    }

    List<Received> receive(String queue) {
        List<Received> received = new ArrayList<>();
        List<Message> messages = sqs.receiveMessage(request -> request.queueUrl(queue)
                        .waitTimeSeconds(0)
                        .maxNumberOfMessages(10)
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                .messages();
        for (Message message : messages) {
            received.add(new Received(
                    inside(message.body()),
                    String.valueOf(message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID)),
                    String.valueOf(message.attributes().get(MessageSystemAttributeName.MESSAGE_DEDUPLICATION_ID))));
            sqs.deleteMessage(request -> request.queueUrl(queue).receiptHandle(message.receiptHandle()));
        }
        return received;
    }

    private static String inside(String notification) {
        try {
            return new ObjectMapper().readTree(notification).path("Message").asText();
        } catch (JsonProcessingException invalid) {
            throw new UncheckedIOException(invalid);
        }
    }

    @Override
    public void close() {
        sns.close();
        sqs.close();
    }
}
