package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inboxes.redis.RedisInboxConfig.Timing;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** One Redis for a class, a prefix of its own for each test, and somebody who may do everything there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisTests {

    static final HandlerId MAIN = new HandlerId("billing", "main");
    static final HandlerId BILL = new HandlerId("billing", "bill");
    /** Claims that run out soon. */
    static final Timing QUICK = new Timing(Duration.ofMillis(800), Duration.ofSeconds(1), Duration.ofSeconds(20));

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    TestRedis redis;
    RedisCommands<String, String> admin;
    String prefix;

    @BeforeAll
    final void startRedis() {
        redis = TestRedis.start();
    }

    @BeforeEach
    final void connect() {
        prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
        admin = closing(redis.admin()).sync();
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

    final <R extends AutoCloseable> R closing(R resource) {
        open.push(resource);
        return resource;
    }

    final RedisInbox<Claim> inbox() {
        return inbox(redis.config(prefix));
    }

    final RedisInbox<Claim> inbox(Timing timing) {
        return inbox(redis.config(prefix).timing(timing));
    }

    final RedisInbox<Claim> inbox(RedisInboxConfig config) {
        return closing(RedisInbox.open(config));
    }

    final String mark(UUID event) {
        return prefix + ":evt:processed:billing:" + event;
    }

    final List<String> keys() {
        return admin.keys(prefix + ":*");
    }
}
