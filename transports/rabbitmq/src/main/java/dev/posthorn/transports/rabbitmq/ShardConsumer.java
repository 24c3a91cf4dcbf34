package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Message;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * One member's consumer of one queue, on a channel of its own.
 *
 * <p>Of a queue's consumers one is active and the others stand by. To hand a queue over, {@link #leave} drops what was not
 * begun, and when the rest is settled the channel is closed: the broker then gives what was dropped to the next consumer, from the
 * first on. Merely cancelling would let the next one begin with later events while earlier ones are still handled here.
 */
final class ShardConsumer extends DefaultConsumer {

    private final MemberSession session;
    private final String queue;
    private final Handout handout;
    private int unsettled;
    private boolean leaving;
    private boolean active;

    ShardConsumer(MemberSession session, Channel channel, String queue) {
        super(channel);
        this.session = session;
        this.queue = queue;
        this.handout = session.handout();
    }

    void start(int prefetch) throws IOException {
        getChannel().basicQos(prefetch);
        getChannel().addShutdownListener(session::channelEnded);
        String unused = getChannel().basicConsume(queue, false, this);
    }

    @Override
    public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
        Message message = new Message(EventProperties.textOf(properties.getHeaders()), body);
        RabbitMqArrival arrival = new RabbitMqArrival(this, envelope, properties, body);
        // What is behind something that was dropped must not be taken in, or it would be handled before it.
        synchronized (this) {
            active = true;
            if (!leaving) {
                unsettled++;
                handout.offer(message, arrival);
            }
        }
    }

    @Override
    public void handleCancel(String tag) {
        session.broken("the broker cancelled the consumer of " + queue + "; was the queue deleted?");
    }

    String queue() {
        return queue;
    }

    MemberSession session() {
        return session;
    }

    /** Whether it got something, so that it is the active one, and is not leaving. */
    synchronized boolean isActive() {
        return active && !leaving;
    }

    /** Takes in nothing more. */
    synchronized void stop() {
        leaving = true;
    }

    /** Takes in nothing more and drops what was not begun. */
    void leave() {
        synchronized (this) {
            leaving = true;
            unsettled -= handout.withdraw(this::isMine);
        }
        leaveWhenSettled();
    }

    private boolean isMine(dev.posthorn.transport.Arrival arrival) {
        return arrival instanceof RabbitMqArrival one && one.consumer() == this;
    }

    /** On the session's thread, as all that writes to a channel. */
    void acknowledge(long deliveryTag) {
        settle(() -> getChannel().basicAck(deliveryTag, false));
    }

    /** The broker moves it to the dead letters. */
    void reject(long deliveryTag) {
        settle(() -> getChannel().basicReject(deliveryTag, false));
    }

    private interface Settlement {
        void send() throws IOException;
    }

    private void settle(Settlement settlement) {
        try {
            settlement.send();
        } catch (IOException | RuntimeException lost) { // it comes again, to whoever consumes then
            session.broken(Connector.reasonOf(lost));
            return;
        }
        synchronized (this) {
            unsettled--;
        }
        leaveWhenSettled();
    }

    private void leaveWhenSettled() {
        boolean settled;
        synchronized (this) {
            settled = leaving && unsettled == 0;
        }
        if (settled) {
            session.replace(this);
        }
    }

    /** Returns when the broker has all that was acknowledged, and has taken back the rest. */
    void close() throws IOException, TimeoutException {
        getChannel().close();
    }
}
