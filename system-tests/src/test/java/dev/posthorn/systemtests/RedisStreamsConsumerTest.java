package dev.posthorn.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

class RedisStreamsConsumerTest extends ConsumerOnBroker {

    @Override
    ConsumedBroker startBroker() {
        return new OwnRedis(Brokers.orSkip(EmbeddedRedis::start));
    }

    private record OwnRedis(EmbeddedRedis broker) implements ConsumedBroker {

        @Override
        public String address() {
            return "redis " + broker.host() + ":" + broker.port();
        }

        @Override
        public List<Letter> deadLetters(String subscriber, String domain) {
            return with(commands -> commands.xrange(ConsumedBus.PREFIX + "-dlq-" + domain, Range.unbounded()).stream()
                    .map(entry -> letter(entry.getBody()))
                    .toList());
        }

        @Override
        public void inject(String domain, byte[] bytes) {
            String id = with(commands ->
                    commands.xadd(ConsumedBus.PREFIX + "-events-" + domain + "-3", Map.of("posthorn-payload", bytes)));
            assertThat(id).isNotEmpty();
        }

        private <R> R with(Function<RedisCommands<String, byte[]>, R> work) {
            try (RedisClient client = RedisClient.create(RedisURI.create(broker.host(), broker.port()));
                    StatefulRedisConnection<String, byte[]> connection =
                            client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE))) {
                return work.apply(connection.sync());
            }
        }

        private static Letter letter(Map<String, byte[]> fields) {
            return new Letter(
                    new String(fields.get("posthorn-id"), UTF_8),
                    new String(fields.get("posthorn-dead-reason"), UTF_8),
                    ByteBuffer.wrap(fields.get("posthorn-payload")));
        }

        @Override
        public void close() {
            broker.close();
        }
    }
}
