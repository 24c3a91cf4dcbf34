package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.Pauses;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Makes connections. The client never reconnects by itself, because it would then send again what was not answered: events
 * that were settled as unknown would come a second time, behind later ones.
 */
final class Connector implements AutoCloseable {

    private static final String ENDED = "Connection closed prematurely";
    private static final long SHUTDOWN_SECONDS = 2;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final RedisURI uri;
    private final Duration patience;
    private final ClientResources resources = DefaultClientResources.create();
    private final RedisClient client;

    Connector(RedisURI uri, ClientOptions options, Duration patience) {
        this.uri = uri;
        this.patience = patience;
        this.client = RedisClient.create(resources);
        client.setOptions(options.mutate()
                .autoReconnect(false)
                // The first command waits for the moment in which a connection takes commands, see connect().
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.ACCEPT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP2)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .build());
    }

    /** For those who connect again and again. */
    static Pauses pauses() {
        return Pauses.of(FIRST_PAUSE, LONGEST_PAUSE);
    }

    /** Ends within the patience, with a link or with what went wrong. */
    CompletableFuture<Link> connect() {
        CompletableFuture<Link> result = new CompletableFuture<>();
        connect(result, true);
        return result.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * When the server refuses a login the client closes the connection, and now and then the end of the connection is reported in
     * place of the refusal. A second attempt finds out which it was.
     */
    private void connect(CompletableFuture<Link> result, boolean again) {
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting;
        try {
            connecting = client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
        } catch (RuntimeException closed) {
            result.completeExceptionally(closed);
            return;
        }
        var unused = connecting.whenComplete((connection, failure) -> {
            if (connection != null) {
                prove(connection, result);
            } else if (again && ENDED.equals(Replies.rootOf(failure).getMessage())) {
                connect(result, false);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    /**
     * The client gives a connection out a moment before it takes commands, and what is gathered for one write in that moment
     * would wait for the next write, for ever if there is none. So a first command goes through before anything else.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // of a connection that nobody waits for
    private void prove(StatefulRedisConnection<byte[], byte[]> connection, CompletableFuture<Link> result) {
        var unused = connection.async().ping().whenComplete((pong, failure) -> {
            boolean answered = failure == null || Replies.isReply(failure);
            boolean taken =
                    answered ? result.complete(new Link(connection, patience)) : !result.completeExceptionally(failure);
            if (!taken) {
                connection.closeAsync(); // nobody waits for it any more
            }
        });
    }

    /** Why connecting failed, for people. */
    String reason(Throwable failure) {
        Throwable root = Replies.rootOf(failure);
        String why = root instanceof TimeoutException
                ? "no answer within " + patience.toMillis() + " ms"
                : String.valueOf(root.getMessage());
        return "Redis at " + describe(uri) + " can not be used: " + why;
    }

    /** The address without credentials. */
    static String describe(RedisURI uri) {
        String host = uri.getHost();
        if (host != null) {
            return host + ":" + uri.getPort() + "/" + uri.getDatabase();
        }
        String socket = uri.getSocket();
        return socket != null ? socket : uri.getSentinels().size() + " sentinels of " + uri.getSentinelMasterId();
    }

    @Override
    public void close() {
        client.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        var unused = resources.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    }
}
