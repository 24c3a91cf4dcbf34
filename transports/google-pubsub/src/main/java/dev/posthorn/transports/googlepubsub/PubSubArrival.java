package dev.posthorn.transports.googlepubsub;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import dev.posthorn.transport.Arrival;
import dev.posthorn.transport.Message;
import java.time.Duration;
import java.util.Map;

/**
 * A message that this member has. When it is brought again meanwhile, because its deadline could not be extended in time, only
 * the id changes by which it is acknowledged.
 */
final class PubSubArrival implements Arrival {

    private final Feed feed;
    private final PubsubMessage message;
    /** Pub/Sub counts only where the subscription has a dead-letter policy. */
    private final int deliveries;

    private volatile String ackId;
    private volatile long leasedUntil;
    private volatile boolean settled;

    PubSubArrival(Feed feed, ReceivedMessage received, long leasedUntil) {
        this.feed = feed;
        this.message = received.getMessage();
        this.deliveries = Math.max(1, received.getDeliveryAttempt());
        this.ackId = received.getAckId();
        this.leasedUntil = leasedUntil;
    }

    PubsubMessage pubsubMessage() {
        return message;
    }

    Message message() {
        return new Message(
                Attributes.headers(message.getAttributesMap()),
                message.getData().toByteArray());
    }

    Feed feed() {
        return feed;
    }

    String id() {
        return message.getMessageId();
    }

    /** Empty if it has no order. */
    String orderingKey() {
        return message.getOrderingKey();
    }

    String ackId() {
        return ackId;
    }

    boolean isSettled() {
        return settled;
    }

    /** It was brought again. */
    void renew(String newAckId, long until) {
        ackId = newAckId;
        leasedUntil = until;
    }

    void leasedUntil(long until) {
        leasedUntil = until;
    }

    /** Whether Pub/Sub may have given it to somebody else. */
    boolean isLost(long now) {
        return now - leasedUntil > 0;
    }

    /** Pub/Sub counts deliveries only, which are none of a handler's attempts. */
    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of(
                "pubsub.subscription",
                feed.subscription(),
                "pubsub.message-id",
                message.getMessageId(),
                "pubsub.ordering-key",
                message.getOrderingKey(),
                DELIVERIES,
                Integer.toString(deliveries));
    }

    @Override
    public void done() {
        settled = true;
        feed.settlements().done(this);
    }

    @Override
    public void reject(String reason, Map<String, String> about) {
        feed.settlements().reject(this, reason, about);
    }

    /** Giving it back would bring what is behind it in its key again too, and each time it counts as a delivery. */
    @Override
    public boolean retry(Duration after, String reason) {
        return false;
    }

    @Override
    public void giveBack() {
        feed.settlements().giveBack(this);
    }
}
