package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.ShutdownSignalException;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A member's connection with its channels, from connecting until anything of it breaks; then all of it is given up.
 *
 * <p>All methods that talk to the broker run on the member's thread. The broker's words come on others.
 */
final class MemberSession {

    /** What a session needs of its member. */
    interface Member {
        Handout handout();

        /** Runs it on the member's thread, later. */
        void execute(Runnable work);

        /** The session is of no use any more. */
        void broken(MemberSession session, String reason);
    }

    private final Member member;
    private final Connection connection;
    private final Layout layout;
    private final int prefetch;
    private final List<ShardConsumer> consumers = new ArrayList<>();
    private final AtomicBoolean alive = new AtomicBoolean(true);
    private final Channel inquiries;
    private final DeadLetterChannel deadLetters;

    private MemberSession(Member member, Connection connection, Layout layout, int prefetch) throws IOException {
        this.member = member;
        this.connection = connection;
        this.layout = layout;
        this.prefetch = prefetch;
        this.inquiries = connection.createChannel();
        this.deadLetters = new DeadLetterChannel(this, connection.createChannel(), layout);
    }

    /** Connects, provides what is missing and consumes all queues. */
    static MemberSession open(RabbitMqConfig config, Subscriber subscriber, Member member, ExecutorService callbacks)
            throws IOException, TimeoutException {
        Layout layout = Layout.of(config, subscriber);
        int prefetch = subscriber.limits().prefetchOr(config.limits().prefetch());
        int each = Math.max(1, prefetch / layout.queues().size());
        Connection connection = new Connector(config).open("subscriber " + subscriber.name(), callbacks);
        MemberSession session;
        try {
            layout.provide(connection, config, subscriber);
            session = new MemberSession(member, connection, layout, each);
        } catch (IOException | TimeoutException | RuntimeException failed) {
            Connector.abort(connection, 0);
            throw failed;
        }
        try {
            session.consumeAll();
            return session;
        } catch (IOException | RuntimeException failed) {
            session.abort();
            throw failed;
        }
    }

    private void consumeAll() throws IOException {
        inquiries.addShutdownListener(this::channelEnded);
        for (String queue : layout.queues()) {
            consume(queue);
        }
        if (layout.membersQueue().isPresent()) {
            String unused = inquiries.basicConsume(layout.membersQueue().get(), true, new DefaultConsumer(inquiries));
        }
    }

    private void consume(String queue) throws IOException {
        ShardConsumer consumer = new ShardConsumer(this, connection.createChannel(), queue);
        consumers.add(consumer);
        consumer.start(prefetch);
    }

    /**
     * Gives up some queues if this member has more than its share of them. How many members there are is how many consumers
     * the queue has that all of them consume.
     */
    void share() {
        try {
            String counted = layout.membersQueue().orElseThrow();
            int members = Math.max(1, inquiries.queueDeclarePassive(counted).getConsumerCount());
            int share = (consumers.size() + members - 1) / members;
            List<ShardConsumer> active =
                    consumers.stream().filter(ShardConsumer::isActive).toList();
            for (int i = share; i < active.size(); i++) {
                active.get(i).leave();
            }
        } catch (IOException | RuntimeException lost) {
            broken(Connector.reasonOf(lost));
        }
    }

    /** Closes the channel of a consumer that has left, and lines up again behind the others. */
    void replace(ShardConsumer left) {
        try {
            consumers.remove(left);
            left.close();
            consume(left.queue());
        } catch (IOException | TimeoutException | RuntimeException lost) {
            broken(Connector.reasonOf(lost));
        }
    }

    Handout handout() {
        return member.handout();
    }

    DeadLetterChannel deadLetters() {
        return deadLetters;
    }

    void execute(Runnable work) {
        member.execute(() -> {
            if (alive.get()) {
                work.run();
            }
        });
    }

    boolean isAlive() {
        return alive.get();
    }

    void channelEnded(ShutdownSignalException signal) {
        if (!signal.isInitiatedByApplication()) {
            broken(Connector.reasonOf(signal));
        }
    }

    /** Ends it at once; whatever was not acknowledged will come again. */
    void broken(String reason) {
        if (alive.compareAndSet(true, false)) {
            member.broken(this, reason);
        }
    }

    /** Lets go of everything; what still comes in from before is not taken any more. */
    void abort() {
        alive.set(false);
        consumers.forEach(ShardConsumer::stop);
        Connector.abort(connection, 0);
        handout()
                .forget(arrival ->
                        arrival instanceof RabbitMqArrival one && one.consumer().session() == this);
    }

    /** Returns when the broker has every acknowledgement, and has taken the rest back. */
    void close(int millis) {
        if (alive.compareAndSet(true, false)) {
            for (ShardConsumer consumer : consumers) {
                try {
                    consumer.close();
                } catch (IOException | TimeoutException | RuntimeException lost) {
                    break; // and with it the others: what was not acknowledged will come again
                }
            }
        }
        Connector.abort(connection, millis);
    }
}
