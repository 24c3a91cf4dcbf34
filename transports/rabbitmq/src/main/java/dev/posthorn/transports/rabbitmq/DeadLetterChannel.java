package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes rejected messages to the exchange of dead letters, as they came and with the reason, and acknowledges them when
 * that is confirmed. The broker's own dead-lettering could not carry the reason; it remains for what is delivered too often.
 */
final class DeadLetterChannel {

    static final String REASON = "posthorn-dead-reason";
    static final String QUEUE = "posthorn-dead-queue";
    static final String ROUTING_KEY = "posthorn-dead-routing-key";

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterChannel.class);
    private static final int LONGEST_REASON = 2_000;

    private final MemberSession session;
    private final Channel channel;
    private final Layout layout;
    private final ConcurrentNavigableMap<Long, RabbitMqArrival> unconfirmed = new ConcurrentSkipListMap<>();

    DeadLetterChannel(MemberSession session, Channel channel, Layout layout) throws IOException {
        this.session = session;
        this.channel = channel;
        this.layout = layout;
        channel.confirmSelect();
        channel.addShutdownListener(session::channelEnded);
        channel.addReturnListener(
                returned -> session.broken("no queue " + layout.deadLetterQueue() + " is bound for dead letters"));
        channel.addConfirmListener(this::confirmed, (tag, multiple) -> session.broken("a dead letter was not taken"));
    }

    /** On the session's thread. */
    void add(RabbitMqArrival arrival, String reason, Map<String, String> about) {
        Map<String, Object> headers = new HashMap<>();
        if (arrival.properties().getHeaders() != null) {
            headers.putAll(arrival.properties().getHeaders());
        }
        headers.remove("CC"); // whoever sent it must not send this one elsewhere, too
        headers.remove("BCC");
        headers.putAll(about);
        headers.put(REASON, reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason);
        headers.put(QUEUE, arrival.consumer().queue());
        headers.put(ROUTING_KEY, String.valueOf(arrival.metadata().get("routing-key")));
        BasicProperties properties = arrival.properties()
                .builder()
                .headers(headers)
                .deliveryMode(2)
                .expiration(null)
                .userId(null)
                .build();
        if (!EventProperties.fits(properties)) {
            LOG.warn("A dead letter of {} has headers too large to add a reason: {}", layout.deadLetterQueue(), reason);
            arrival.rejectAsItIs();
            return;
        }
        unconfirmed.put(channel.getNextPublishSeqNo(), arrival);
        try {
            channel.basicPublish(
                    layout.deadLetterExchange(), layout.deadLetterQueue(), true, properties, arrival.body());
        } catch (IOException | RuntimeException lost) { // it was not acknowledged, so it comes again
            session.broken(Connector.reasonOf(lost));
        }
    }

    private void confirmed(long tag, boolean multiple) {
        ConcurrentNavigableMap<Long, RabbitMqArrival> these = unconfirmed.subMap(multiple ? 0 : tag, true, tag, true);
        these.values().forEach(arrival -> {
            if (session.isAlive()) {
                arrival.done();
            }
        });
        these.clear();
    }

    /** Returns when the broker has confirmed all, or does not in time. */
    void awaitConfirms(long millis) throws InterruptedException {
        try {
            channel.waitForConfirms(millis);
        } catch (TimeoutException | RuntimeException late) {
            LOG.warn("Dead letters were not confirmed in time; they will come again: {}", Connector.reasonOf(late));
        }
    }
}
