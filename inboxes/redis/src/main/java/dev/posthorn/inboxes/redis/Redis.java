package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.InboxException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection at a time, made when it is needed and dropped when it does not answer. Nothing is sent twice by itself.
 * Whatever goes wrong is an {@link InboxException}: nothing that Redis says is the fault of an event. Thread-safe.
 */
final class Redis implements AutoCloseable {

    private static final long SHUTDOWN_SECONDS = 2;

    private final RedisURI uri;
    private final Duration patience;
    private final ClientResources resources = DefaultClientResources.create();
    private final RedisClient client;
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile @Nullable StatefulRedisConnection<String, String> connection;
    private volatile boolean closed;

    Redis(RedisURI uri, ClientOptions options, Duration patience) {
        this.uri = RedisURI.builder(uri).withTimeout(patience).build();
        this.patience = patience;
        this.client = RedisClient.create(resources);
        client.setOptions(options.mutate()
                .autoReconnect(false)
                // A connection is given out a moment before it takes commands; the first one waits for that.
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.ACCEPT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP2)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .build());
    }

    /** Runs a script; numbers are all that these answer. */
    List<Long> run(Script script, List<String> keys, List<String> arguments) {
        return run(commands -> eval(commands, script, keys, arguments), Redis::interruptibly);
    }

    /** The same for what must be known, whoever interrupts: the thread is interrupted afterwards. */
    List<Long> runToTheEnd(Script script, List<String> keys, List<String> arguments) {
        return run(commands -> eval(commands, script, keys, arguments), Redis::toTheEnd);
    }

    /** A part of what the server tells of itself. */
    String info(String section) {
        return run(commands -> commands.info(section), Redis::interruptibly);
    }

    private static Future<List<Long>> eval(
            RedisAsyncCommands<String, String> commands, Script script, List<String> keys, List<String> arguments) {
        return commands.eval(
                script.text(), ScriptOutputType.MULTI, keys.toArray(String[]::new), arguments.toArray(String[]::new));
    }

    /** How an answer is waited for. */
    private interface Waiting<R> {
        R of(Future<R> answer, long nanos) throws InterruptedException, ExecutionException, TimeoutException;
    }

    private static <R> R interruptibly(Future<R> answer, long nanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        return answer.get(nanos, TimeUnit.NANOSECONDS);
    }

    private static <R> R toTheEnd(Future<R> answer, long nanos) throws ExecutionException, TimeoutException {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <R> R run(Function<RedisAsyncCommands<String, String>, Future<R>> command, Waiting<R> waiting) {
        StatefulRedisConnection<String, String> used = connection();
        try {
            return waiting.of(command.apply(used.async()), patience.toNanos());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InboxException("Interrupted while Redis was asked", stopped);
        } catch (TimeoutException silence) {
            drop(used);
            throw new InboxException(
                    "Redis at " + describe(uri) + " did not answer within " + patience.toMillis() + " ms", silence);
        } catch (ExecutionException | RuntimeException failed) {
            Throwable cause =
                    failed instanceof ExecutionException && failed.getCause() != null ? failed.getCause() : failed;
            if (!(cause instanceof RedisCommandExecutionException)) {
                drop(used);
            }
            throw new InboxException("Redis at " + describe(uri) + " can not be used: " + cause.getMessage(), cause);
        }
    }

    private StatefulRedisConnection<String, String> connection() {
        StatefulRedisConnection<String, String> known = connection;
        return known != null && known.isOpen() ? known : connect();
    }

    private StatefulRedisConnection<String, String> connect() {
        try {
            if (!connecting.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new InboxException("Redis at " + describe(uri) + " is being connected to for long");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InboxException("Interrupted while Redis was connected to", stopped);
        }
        try {
            StatefulRedisConnection<String, String> known = connection;
            if (known != null && known.isOpen()) {
                return known;
            }
            if (closed) {
                throw new InboxException("The inbox is closed");
            }
            StatefulRedisConnection<String, String> made = client.connect(StringCodec.UTF8, uri);
            connection = made;
            return made;
        } catch (InboxException ours) {
            throw ours;
        } catch (RuntimeException failed) {
            throw new InboxException(
                    "Redis at " + describe(uri) + " can not be reached: "
                            + rootOf(failed).getMessage(),
                    failed);
        } finally {
            connecting.unlock();
        }
    }

    private void drop(StatefulRedisConnection<String, String> useless) {
        var unused = useless.closeAsync();
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
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

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        client.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        var unused = resources.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    }
}
