package dev.posthorn.transports.snssqs;

import dev.posthorn.transport.Arrival;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** A message that this member has; what becomes of it goes to the member's settlements. */
final class SqsArrival implements Arrival {

    static final String MESSAGE_ID = "sqs.message-id";

    private final Message message;
    private final String queue;
    private final Settlements settlements;
    private volatile String receipt;
    private volatile long heldUntil;
    private volatile boolean settled;

    SqsArrival(Message message, String queue, Settlements settlements, long heldUntil) {
        this.message = message;
        this.queue = queue;
        this.settlements = settlements;
        this.receipt = message.receiptHandle();
        this.heldUntil = heldUntil;
    }

    String id() {
        return message.messageId();
    }

    Message message() {
        return message;
    }

    /** With which it is deleted or hidden for longer. */
    String receipt() {
        return receipt;
    }

    String group() {
        return attribute(MessageSystemAttributeName.MESSAGE_GROUP_ID);
    }

    /** Grows within a queue; as text of a fixed length. */
    String sequence() {
        return attribute(MessageSystemAttributeName.SEQUENCE_NUMBER);
    }

    private String attribute(MessageSystemAttributeName name) {
        return message.attributes().getOrDefault(name, "");
    }

    /** SQS gave it out again, to this same member: the old receipt is worth nothing. */
    void receivedAgain(String newReceipt, long until) {
        receipt = newReceipt;
        heldUntil = until;
    }

    void heldUntil(long until) {
        heldUntil = until;
    }

    /** Whether SQS surely hides it from others. */
    boolean isHeld() {
        return System.nanoTime() - heldUntil < 0;
    }

    /** Whether what becomes of it is on its way to SQS. */
    boolean isSettled() {
        return settled;
    }

    /** SQS counts deliveries only, which are none of a handler's attempts. */
    @Override
    public int attempt() {
        return 1;
    }

    int deliveries() {
        try {
            return Integer.parseInt(attribute(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT));
        } catch (NumberFormatException uncounted) {
            return 1;
        }
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of(
                "sqs.queue",
                queue,
                MESSAGE_ID,
                id(),
                "sqs.group",
                group(),
                "sqs.sequence",
                sequence(),
                DELIVERIES,
                Integer.toString(deliveries()));
    }

    @Override
    public void done() {
        settled = true;
        settlements.done(this);
    }

    @Override
    public void reject(String reason, Map<String, String> about) {
        settled = true;
        settlements.reject(this, reason, about);
    }

    /** It stays hidden and holds its group; giving it back would count as a delivery, and too many make a dead letter. */
    @Override
    public boolean retry(Duration after, String reason) {
        return false;
    }

    @Override
    public void giveBack() {
        settled = true;
        settlements.giveBack(this);
    }
}
