package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.SocketConfigurator;
import com.rabbitmq.client.impl.StrictExceptionHandler;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Threads;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections. The client library's own recovery is off: it would send and settle on channels that are not those of
 * before, and nobody could tell what became of an event.
 */
final class Connector {

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    private final RabbitMqConfig config;

    Connector(RabbitMqConfig config) {
        this.config = config;
    }

    /** Waits no longer than the connect time-out for each step. The executor runs what consumers get. */
    Connection open(String purpose, ExecutorService executor) throws IOException, TimeoutException {
        return open(purpose, executor, socket -> {});
    }

    /** The same; the caller also gets the socket, to close it where the broker does not even read the goodbye. */
    Connection open(String purpose, ExecutorService executor, Consumer<Socket> socket)
            throws IOException, TimeoutException {
        Endpoint endpoint = config.endpoint();
        int connectMillis = Math.toIntExact(config.timeouts().connect().toMillis());
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUsername(endpoint.login().user());
        factory.setPassword(endpoint.login().password());
        factory.setVirtualHost(endpoint.virtualHost());
        factory.setConnectionTimeout(connectMillis);
        factory.setHandshakeTimeout(connectMillis);
        factory.setChannelRpcTimeout(connectMillis);
        factory.setShutdownTimeout(connectMillis);
        factory.setRequestedHeartbeat(
                Math.toIntExact(config.timeouts().heartbeat().toSeconds()));
        factory.setMaxInboundMessageBodySize(Integer.MAX_VALUE);
        factory.setThreadFactory(work -> Threads.daemon("posthorn-rabbitmq-connection", work));
        factory.setExceptionHandler(new Quiet());
        endpoint.tls().ifPresent(context -> {
            factory.useSslProtocol(context);
            factory.enableHostnameVerification();
        });
        endpoint.client().accept(factory);
        SocketConfigurator configured = factory.getSocketConfigurator();
        factory.setSocketConfigurator(made -> {
            configured.configure(made);
            socket.accept(made);
        });
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        List<com.rabbitmq.client.Address> nodes = new ArrayList<>(endpoint.nodes());
        Collections.shuffle(nodes);
        return factory.newConnection(
                executor, nodes, "posthorn " + config.names().prefix() + " " + purpose);
    }

    /**
     * Ends a connection and waits so long for the broker to agree. On a thread of its own: where the broker reads nothing
     * any more, not even the goodbye can be written.
     */
    static void abort(Connection connection, int millis) {
        Thread ending = Threads.daemon("posthorn-rabbitmq-closing", () -> connection.abort(millis));
        ending.start();
        if (millis > 0) {
            try {
                ending.join(millis);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends whatever reads from this socket or writes to it, also where a write has been stuck for long. */
    static void closeHard(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException failed) {
            LOG.debug("A socket could not be closed", failed);
        }
    }

    /** What went wrong is told by outcomes and states; the client library's own log of it would say it again. */
    private static final class Quiet extends StrictExceptionHandler {
        @Override
        protected void log(String message, Throwable cause) {
            LOG.debug(message, cause);
        }
    }

    /** What the broker said, if it said something; else what the client library says. */
    static String reasonOf(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException signal) {
                return reasonOf(signal);
            }
        }
        return failure instanceof PosthornException ours
                ? String.valueOf(ours.getMessage())
                : Outcome.reasonOf(failure);
    }

    private static String reasonOf(ShutdownSignalException signal) {
        if (signal.getReason() instanceof AMQP.Channel.Close close) {
            return close.getReplyText();
        }
        if (signal.getReason() instanceof AMQP.Connection.Close close) {
            return close.getReplyText();
        }
        Throwable cause = signal.getCause();
        return "the connection was lost" + (cause == null ? "" : " (" + Outcome.reasonOf(cause) + ")");
    }
}
