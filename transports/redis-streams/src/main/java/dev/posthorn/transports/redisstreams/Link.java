package dev.posthorn.transports.redisstreams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** One connection, from its making to its loss; there is no second life. Keys and values are bytes. Thread-safe. */
final class Link implements AutoCloseable {

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final Duration patience;
    private final AtomicBoolean closed = new AtomicBoolean();

    Link(StatefulRedisConnection<byte[], byte[]> connection, Duration patience) {
        this.connection = connection;
        this.patience = patience;
    }

    RedisAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    /** From now on commands leave with {@link #flush} only, all that are there in one write. */
    void gather() {
        connection.setAutoFlushCommands(false);
    }

    void flush() {
        connection.flushCommands();
    }

    boolean isOpen() {
        return !closed.get() && connection.isOpen();
    }

    /** Called once or more when it is lost or closed, also if it is already. */
    void onLost(Runnable action) {
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
                action.run();
            }
        });
        if (!connection.isOpen()) {
            action.run();
        }
    }

    RedisFuture<List<Object>> run(Script script, List<String> keys, List<String> arguments) {
        return commands()
                .eval(
                        script.text(),
                        ScriptOutputType.MULTI,
                        keys.stream().map(Link::bytes).toArray(byte[][]::new),
                        arguments.stream().map(Link::bytes).toArray(byte[][]::new));
    }

    /**
     * Makes entries that are pending in the group this member's, without bringing them, and answers which; those that are
     * deleted are not among them and not pending any more.
     */
    CompletionStage<List<byte[]>> claim(Shard shard, String member, List<String> ids, List<String> options) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .addKey(bytes(shard.stream))
                .add(bytes(shard.group))
                .add(bytes(member))
                .add(0);
        ids.forEach(arguments::add);
        options.forEach(arguments::add);
        arguments.add("JUSTID");
        return commands().dispatch(CommandType.XCLAIM, new ValueListOutput<>(ByteArrayCodec.INSTANCE), arguments);
    }

    /** Waits for an answer, no longer than the patience; throws what went wrong, as a {@link RuntimeException}. */
    <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silence) {
            throw new SilenceException("Redis did not answer within " + patience.toMillis() + " ms");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException known ? known : new CompletionException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new SilenceException("interrupted while waiting for Redis");
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static String text(Object bytes) {
        return bytes instanceof byte[] raw ? new String(raw, UTF_8) : String.valueOf(bytes);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            var unused = connection.closeAsync();
        }
    }
}
