package dev.posthorn.transports.redisstreams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** One Redis for a class, a prefix of its own for each test, and somebody who may do everything there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisTests {

    static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    TestRedis redis;
    StatefulRedisConnection<String, byte[]> connection;
    RedisCommands<String, byte[]> admin;
    String prefix;

    @BeforeAll
    final void startRedis() {
        redis = TestRedis.start();
    }

    @BeforeEach
    final void connect() {
        prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
        connection = closing(redis.admin());
        admin = connection.sync();
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @AfterAll
    final void stopRedis() {
        if (redis != null) {
            redis.close();
        }
    }

    final <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    /** With one shard, so that a test knows the stream. */
    final RedisStreamsConfig single() {
        return redis.config(prefix).shards(1);
    }

    final RedisStreamsTransport open(RedisStreamsConfig config) {
        return closing(new RedisStreamsTransport(config));
    }

    final String stream() {
        return prefix + "-events-orders";
    }

    final String group() {
        return prefix + "-billing-orders";
    }

    static void publish(RedisStreamsTransport transport, List<Event> events) {
        assertThat(outcomes(transport, events)).allMatch(Outcome.Accepted.class::isInstance);
    }

    static List<Outcome> outcomes(RedisStreamsTransport transport, List<Event> events) {
        List<TrackedPublication> publications = TrackedPublication.firstOf(events);
        try (Publisher publisher = transport.publisher()) {
            publisher.publish(publications);
            return publications.stream().map(TrackedPublication::awaitOutcome).toList();
        }
    }

    static Outcome outcome(RedisStreamsTransport transport, Event event) {
        return outcomes(transport, List.of(event)).get(0);
    }

    static Event event(String key) {
        return Event.of("orders", "Placed")
                .key(key)
                .payload(key.getBytes(UTF_8), "text/plain")
                .build();
    }

    static List<Event> events(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of("orders", "Placed")
                        .key("key-" + i % 10)
                        .sequence(i)
                        .build())
                .toList();
    }
}
