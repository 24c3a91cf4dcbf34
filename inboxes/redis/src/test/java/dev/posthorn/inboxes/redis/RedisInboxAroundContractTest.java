package dev.posthorn.inboxes.redis;

import dev.posthorn.testkit.InboxContract;
import dev.posthorn.testkit.TestInbox;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same for handlers with a unit of work of their own; nothing differs as long as no process ends. */
@Tag("slow")
class RedisInboxAroundContractTest extends InboxContract<List<UUID>> {

    private static TestRedis redis;

    @BeforeAll
    static void startRedis() {
        redis = TestRedis.start();
    }

    @AfterAll
    static void stopRedis() {
        if (redis != null) {
            redis.close();
        }
    }

    @Override
    protected TestInbox<List<UUID>> start() {
        Book book = new Book();
        return new RedisInboxUnderTest<>(redis, config -> RedisInbox.around(config, book), book);
    }
}
