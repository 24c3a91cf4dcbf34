package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import dev.posthorn.transport.Arrival;
import java.time.Duration;
import java.util.Map;

/** One message that a queue delivered. */
final class RabbitMqArrival implements Arrival {

    private final ShardConsumer consumer;
    private final Envelope envelope;
    private final BasicProperties properties;
    private final byte[] body;

    RabbitMqArrival(ShardConsumer consumer, Envelope envelope, BasicProperties properties, byte[] body) {
        this.consumer = consumer;
        this.envelope = envelope;
        this.properties = properties;
        this.body = body;
    }

    ShardConsumer consumer() {
        return consumer;
    }

    /** The broker counts deliveries only, which are none of a handler's attempts. */
    @Override
    public int attempt() {
        return 1;
    }

    /** Quorum queues count; classic ones only know whether it was delivered before. */
    private int deliveries() {
        Object count =
                properties.getHeaders() == null ? null : properties.getHeaders().get("x-delivery-count");
        if (count instanceof Number before) {
            return (int) Math.min(Integer.MAX_VALUE, before.longValue() + 1);
        }
        return envelope.isRedeliver() ? 2 : 1;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of(
                "queue",
                consumer.queue(),
                "exchange",
                envelope.getExchange(),
                "routing-key",
                envelope.getRoutingKey(),
                "delivery-tag",
                Long.toString(envelope.getDeliveryTag()),
                DELIVERIES,
                Integer.toString(deliveries()));
    }

    @Override
    public void done() {
        consumer.session().execute(() -> consumer.acknowledge(envelope.getDeliveryTag()));
    }

    @Override
    public void reject(String reason, Map<String, String> about) {
        consumer.session().execute(() -> consumer.session().deadLetters().add(this, reason, about));
    }

    /** By the broker's own dead-lettering, which adds nothing of ours. On the session's thread. */
    void rejectAsItIs() {
        consumer.reject(envelope.getDeliveryTag());
    }

    /** Putting it back would deliver it again at once, over and over; so it is kept here, and its key with it. */
    @Override
    public boolean retry(Duration after, String reason) {
        return false;
    }

    /** The end of the channel gives everything back, in order; putting back one by one would mix them up. */
    @Override
    public void giveBack() {}

    BasicProperties properties() {
        return properties;
    }

    byte[] body() {
        return body;
    }
}
