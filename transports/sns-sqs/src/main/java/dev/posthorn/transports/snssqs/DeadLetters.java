package dev.posthorn.transports.snssqs;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Sends rejected messages to the queue of dead letters: the same text and attributes, and {@value Wire#DEAD} with the reason.
 * SQS' own way there could not carry one; it remains for what is received too often.
 */
final class DeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final int LONGEST_REASON = 2_000;
    private static final int MOST_ATTRIBUTES = 10;

    private final SqsClient sqs;
    private final String subscriber;

    DeadLetters(SqsClient sqs, String subscriber) {
        this.sqs = sqs;
        this.subscriber = subscriber;
    }

    /** Returns when SQS has it; throws what SQS says. */
    void send(QueueAddress address, SqsArrival arrival, String reason, Map<String, String> more) {
        Map<String, MessageAttributeValue> attributes =
                new HashMap<>(arrival.message().messageAttributes());
        Map<String, Object> about = new LinkedHashMap<>(more);
        about.put("reason", reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason);
        about.put("subscriber", subscriber);
        about.put("queue", address.queue());
        about.put("message-id", arrival.id());
        about.put("attempt", arrival.deliveries());
        makeRoom(attributes, about);
        attributes.put(
                Wire.DEAD,
                MessageAttributeValue.builder()
                        .dataType("String")
                        .stringValue(Wire.json(about))
                        .build());
        try {
            send(address, arrival, attributes);
        } catch (RuntimeException failure) {
            if (!Failures.isOfTheMessage(failure)) {
                throw failure;
            }
            LOG.warn("Dead letter {} is too large for its reason: {}", arrival.id(), reason);
            send(address, arrival, arrival.message().messageAttributes());
        }
    }

    /** A message has ten attributes at most; those that must go are kept in ours. */
    private static void makeRoom(Map<String, MessageAttributeValue> attributes, Map<String, Object> about) {
        Map<String, String> moved = new TreeMap<>();
        attributes.remove(Wire.DEAD);
        attributes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .skip(MOST_ATTRIBUTES - 1)
                .forEach(last ->
                        moved.put(last.getKey(), String.valueOf(last.getValue().stringValue())));
        attributes.keySet().removeAll(moved.keySet());
        if (!moved.isEmpty()) {
            about.put("attributes", moved);
        }
    }

    /** The same letter sent twice, because the answer was lost, is one: it has the id that the message has in its queue. */
    private void send(QueueAddress address, SqsArrival arrival, Map<String, MessageAttributeValue> attributes) {
        var unused = sqs.sendMessage(request -> request.queueUrl(address.deadLetters())
                .messageBody(arrival.message().body())
                .messageAttributes(attributes)
                .messageGroupId(arrival.group())
                .messageDeduplicationId(arrival.id()));
    }
}
