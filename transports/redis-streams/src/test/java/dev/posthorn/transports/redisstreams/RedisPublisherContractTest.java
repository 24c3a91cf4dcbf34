package dev.posthorn.transports.redisstreams;

import dev.posthorn.testkit.PublisherContract;
import dev.posthorn.testkit.Received;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.Transport;
import io.lettuce.core.Range;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** The stream itself is what has arrived; with one shard it has the order of publishing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class RedisPublisherContractTest extends PublisherContract {

    private TestRedis redis;
    private StatefulRedisConnection<String, byte[]> admin;
    private String prefix = "";

    @BeforeAll
    void startRedis() {
        redis = TestRedis.start();
        admin = redis.admin();
    }

    @AfterAll
    void stopRedis() {
        if (redis != null) {
            redis.close();
        }
    }

    @Override
    protected Transport open() {
        prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
        return new RedisStreamsTransport(redis.config(prefix).shards(1));
    }

    @Override
    protected List<Received> received() {
        return admin.sync().xrange(prefix + "-events-orders", Range.unbounded()).stream()
                .map(entry -> {
                    List<byte[]> fields = new ArrayList<>();
                    entry.getBody().forEach((name, value) -> fields.addAll(List.of(Link.bytes(name), value)));
                    Message message = Fields.message(fields);
                    return Received.of(EventMessage.read(message));
                })
                .toList();
    }

    @Override
    protected Optional<Runnable> stall() {
        redis.server().freeze();
        return Optional.of(redis.server()::thaw);
    }
}
