package dev.posthorn.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Names;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Redis Streams, with an append-only file that is forced to disk every second, as is usual. */
final class RedisKind implements BrokerKind {

    private static final int TOGETHER = 1_000;

    @Override
    public String name() {
        return "redis-streams";
    }

    @Override
    public double promised() {
        return 0;
    }

    @Override
    public RunningBroker start() {
        EmbeddedRedis redis = EmbeddedRedis.start(Map.of("appendfsync", "everysec"));
        String uri = "redis://" + redis.host() + ":" + redis.port();
        return new RunningBroker() {
            @Override
            public Bus open(String prefix) {
                return new RedisStreamsTransport(RedisStreamsConfig.at(uri).names(Names.withPrefix(prefix)));
            }

            @Override
            public PlainClient client(String prefix) {
                return new Client(uri, prefix + "-plain");
            }

            /** Nothing else is on it while no run is under way. */
            @Override
            public void clear(String prefix) {
                try (RedisClient client = RedisClient.create(uri);
                        StatefulRedisConnection<String, String> connection = client.connect()) {
                    connection.sync().flushall();
                }
            }

            @Override
            public void close() {
                redis.close();
            }
        };
    }

    /** XADD to one stream, a thousand in one write. */
    private static final class Client implements PlainClient {

        private final RedisClient client;
        private final StatefulRedisConnection<byte[], byte[]> connection;
        private final byte[] stream;

        Client(String uri, String stream) {
            this.client = RedisClient.create(uri);
            this.connection = client.connect(ByteArrayCodec.INSTANCE);
            this.connection.setAutoFlushCommands(false);
            this.stream = stream.getBytes(UTF_8);
        }

        @Override
        public void publish(List<Event> events, Consumer<Event> confirmed) {
            List<Future<?>> answers = new ArrayList<>();
            for (Event event : events) {
                answers.add(connection
                        .async()
                        .xadd(stream, fields(event))
                        .thenAccept(id -> confirmed.accept(event))
                        .toCompletableFuture());
                if (answers.size() % TOGETHER == 0) {
                    connection.flushCommands();
                }
            }
            connection.flushCommands();
            for (Future<?> answer : answers) {
                Answers.await(answer);
            }
        }

        /** Names and values in turn. */
        private static Object[] fields(Event event) {
            List<Object> fields = new ArrayList<>();
            EventMessage.headersOf(event).forEach((name, value) -> {
                fields.add(name.getBytes(UTF_8));
                fields.add(value.getBytes(UTF_8));
            });
            fields.add("payload".getBytes(UTF_8));
            fields.add(event.payloadBytes());
            return fields.toArray();
        }

        @Override
        public void close() {
            connection.close();
            client.shutdown();
        }
    }
}
