package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provisioning;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Looks for exchanges and queues, and creates those that may be created. One that exists is used as it is, whatever its type and
 * arguments: to declare it anew with others would be refused. Every look has a channel to itself, because the broker
 * closes the channel of a look that finds nothing.
 */
final class Topology {

    private static final int NOT_FOUND = 404;

    /** Something that is done on a channel. */
    private interface Work {
        void on(Channel channel) throws IOException;
    }

    private final Connection connection;
    private final Provisioning provisioning;

    Topology(Connection connection, Provisioning provisioning) {
        this.connection = connection;
        this.provisioning = provisioning;
    }

    void exchange(DestinationKind kind, String name, BuiltinExchangeType type) throws IOException, TimeoutException {
        provide(
                kind,
                name,
                channel -> channel.exchangeDeclarePassive(name),
                channel -> channel.exchangeDeclare(name, type, true));
    }

    void queue(DestinationKind kind, String name, Map<String, Object> arguments) throws IOException, TimeoutException {
        provide(
                kind,
                name,
                channel -> channel.queueDeclarePassive(name),
                channel -> channel.queueDeclare(name, true, false, false, arguments));
    }

    private void provide(DestinationKind kind, String name, Work look, Work create)
            throws IOException, TimeoutException {
        if (!exists(look)) {
            if (!provisioning.mayCreate(kind, name)) {
                throw new PosthornException(provisioning.missing(kind, name));
            }
            run(create);
        }
        provisioning.found(kind, name);
    }

    private boolean exists(Work look) throws IOException, TimeoutException {
        try {
            run(look);
            return true;
        } catch (IOException refused) {
            if (refused.getCause() instanceof ShutdownSignalException signal
                    && !signal.isHardError()
                    && signal.getReason() instanceof com.rabbitmq.client.AMQP.Channel.Close close
                    && close.getReplyCode() == NOT_FOUND) {
                return false;
            }
            throw refused;
        }
    }

    private void run(Work work) throws IOException, TimeoutException {
        Channel channel = connection.createChannel();
        try {
            work.on(channel);
        } finally {
            if (channel.isOpen()) {
                channel.close();
            }
        }
    }
}
