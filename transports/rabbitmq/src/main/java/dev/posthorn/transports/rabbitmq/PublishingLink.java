package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.io.IOException;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a publisher, with a channel in confirm mode, until either breaks.
 *
 * <p>{@link #send} is called by the publisher's thread alone; what the broker says comes on the connection's. A message that
 * no queue would get is returned first and confirmed afterwards, on the same thread in this order.
 */
final class PublishingLink {

    /**
     * A nack tells nothing of the reason: a queue that is full, that has no quorum or that is just being moved. Other queues
     * may have it. So it is no fault of this event as long as others share its fate.
     */
    private static final Outcome NOT_TAKEN =
            Outcome.unknown("the broker did not take it: a queue is full or does not work");

    private final RabbitMqConfig config;
    private final ReturnedEvents returns;
    private final Connection connection;
    private final AtomicReference<Socket> socket;
    private final Channel channel;
    private final ConcurrentNavigableMap<Long, Sending> unconfirmed = new ConcurrentSkipListMap<>();
    private final Set<String> provided = new HashSet<>();
    private volatile @Nullable String lost;
    private volatile @Nullable String blocked;
    private volatile boolean confirmedAny;
    private volatile long confirmedAt = System.nanoTime();

    private PublishingLink(
            RabbitMqConfig config, ReturnedEvents returns, Connection connection, AtomicReference<Socket> socket)
            throws IOException {
        this.config = config;
        this.returns = returns;
        this.connection = connection;
        this.socket = socket;
        this.channel = connection.createChannel();
    }

    static PublishingLink open(RabbitMqConfig config, ReturnedEvents returns, ExecutorService executor)
            throws IOException, TimeoutException {
        AtomicReference<Socket> socket = new AtomicReference<>();
        Connection connection = new Connector(config).open("publisher", executor, socket::set);
        try {
            PublishingLink link = new PublishingLink(config, returns, connection, socket);
            link.listen();
            return link;
        } catch (IOException | RuntimeException failed) {
            Connector.abort(connection, 0);
            throw failed;
        }
    }

    private void listen() throws IOException {
        channel.confirmSelect();
        channel.addConfirmListener(
                (tag, multiple) -> confirmed(tag, multiple, true), (tag, multiple) -> confirmed(tag, multiple, false));
        channel.addReturnListener(returned -> cameBack(returned.getProperties().getMessageId()));
        channel.addShutdownListener(this::ended);
        connection.addBlockedListener(
                reason -> blocked = "the broker takes nothing for now: " + reason, () -> blocked = null);
    }

    /** Why nothing can be sent any more, or null. */
    @Nullable
    String lost() {
        return lost;
    }

    /** Whether the broker has confirmed something, so that this works at all. */
    boolean confirmedAny() {
        return confirmedAny;
    }

    /** Sends it, or settles it with why not. */
    void send(Sending sending) {
        Publication publication = sending.publication();
        if (publication == null) {
            return;
        }
        String exchange;
        String key;
        BasicProperties properties;
        try {
            int size = publication.event().payloadSize();
            if (size > config.limits().maxMessageBytes()) {
                throw new PosthornException("its payload has " + size + " bytes, and the limit is "
                        + config.limits().maxMessageBytes());
            }
            EventMessage.requireReadable(publication.event());
            exchange = RabbitMqConfig.name(config.names()
                    .events()
                    .fillFor(publication.event(), config.names().prefix()));
            key = config.routing().keyOf(publication.event(), config.names().prefix());
            properties = EventProperties.of(publication);
        } catch (PosthornException impossible) {
            sending.settle(Outcome.refused(String.valueOf(impossible.getMessage())));
            return;
        }
        @Nullable String waiting = blocked;
        if (waiting != null) {
            sending.settle(Outcome.unavailable(waiting));
        } else if (provide(exchange, sending) && sending.begin(exchange)) {
            write(
                    sending,
                    new Address(exchange, key),
                    properties,
                    publication.event().payloadBytes());
        }
    }

    private record Address(String exchange, String key) {}

    private void write(Sending sending, Address to, BasicProperties properties, byte[] body) {
        long tag = channel.getNextPublishSeqNo();
        unconfirmed.put(tag, sending);
        try {
            channel.basicPublish(to.exchange(), to.key(), true, properties, body);
        } catch (AlreadyClosedException closed) { // nothing was written
            unconfirmed.remove(tag);
            sending.settle(Outcome.unavailable(Connector.reasonOf(closed)));
            breakOff(closed);
        } catch (IOException broken) {
            unconfirmed.remove(tag);
            sending.settle(EndOfChannel.gone(Connector.reasonOf(broken)));
            breakOff(broken);
        } catch (RuntimeException failed) {
            unconfirmed.remove(tag);
            sending.settle(Outcome.unknown(Connector.reasonOf(failed)));
            breakOff(failed);
        }
    }

    /** Makes sure that the exchange is there, once for each. */
    private boolean provide(String exchange, Sending sending) {
        if (provided.contains(exchange)) {
            return true;
        }
        try {
            Layout.provideEvents(connection, exchange, config.provision());
            provided.add(exchange);
            return true;
        } catch (PosthornException missing) { // the connection works, and other exchanges may be there
            sending.settle(Outcome.unavailable(String.valueOf(missing.getMessage())));
            return false;
        } catch (IOException | RuntimeException | TimeoutException failed) {
            sending.settle(Outcome.unavailable(Connector.reasonOf(failed)));
            breakOff(failed);
            return false;
        }
    }

    private void cameBack(String eventId) {
        for (Sending sending : unconfirmed.values()) {
            if (sending.comesBack(eventId)) {
                return;
            }
        }
    }

    private void confirmed(long tag, boolean multiple, boolean taken) {
        confirmedAny = true;
        confirmedAt = System.nanoTime();
        if (multiple) {
            ConcurrentNavigableMap<Long, Sending> upTo = unconfirmed.headMap(tag, true);
            upTo.values().forEach(sending -> settle(sending, taken));
            upTo.clear();
            return;
        }
        Sending one = unconfirmed.remove(tag);
        if (one != null) {
            settle(one, taken);
        }
    }

    private void settle(Sending sending, boolean taken) {
        if (taken) {
            returns.settled(sending.exchange(), sending.returned());
        }
        if (!taken) {
            sending.settle(NOT_TAKEN);
        } else if (sending.returned() && config.unroutable() == Unroutable.FAIL) {
            sending.settle(Outcome.failed("no queue is bound for it"));
        } else {
            sending.settle(Outcome.accepted());
        }
    }

    private void ended(ShutdownSignalException signal) {
        if (lost == null) {
            lost = Connector.reasonOf(signal);
        }
        unconfirmed.values().forEach(sending -> sending.settle(EndOfChannel.outcomeOf(sending, signal)));
        unconfirmed.clear();
    }

    /**
     * The confirm of this one did not come in time. If no other came either, the broker is silent: everything on this
     * connection is settled and the connection is ended, so that the next event goes over another one.
     */
    void giveUp(Sending sending, long now) {
        long patience = config.timeouts().answer().toNanos();
        if (now - confirmedAt <= patience) {
            sending.settle(silence());
            return;
        }
        Outcome silence = silence();
        lost = "no answer within " + config.timeouts().answer().toMillis() + " ms";
        unconfirmed.values().forEach(one -> one.settle(silence));
        Connector.closeHard(socket.get());
        Connector.abort(connection, 0);
    }

    private Outcome silence() {
        @Nullable String waiting = blocked;
        return waiting == null
                ? Outcome.unknown(
                        "no answer within " + config.timeouts().answer().toMillis() + " ms")
                : EndOfChannel.gone(waiting);
    }

    private void breakOff(Throwable cause) {
        lost = Connector.reasonOf(cause);
        Connector.abort(connection, 0);
    }

    /** Closes the connection and waits so long for the broker to agree; what is unconfirmed is unknown. */
    void close(int millis) {
        if (lost == null) {
            lost = "the publisher was closed";
        }
        Connector.abort(connection, millis);
    }
}
