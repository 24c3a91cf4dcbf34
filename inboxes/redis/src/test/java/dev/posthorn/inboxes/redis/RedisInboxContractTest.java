package dev.posthorn.inboxes.redis;

import dev.posthorn.testkit.InboxContract;
import dev.posthorn.testkit.TestInbox;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract of inboxes, for handlers that call out: what they did can not be undone. */
@Tag("slow")
class RedisInboxContractTest extends InboxContract<Claim> {

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
    protected Set<Difference> differences() {
        return Set.of(Difference.EFFECTS_STAY);
    }

    @Override
    protected TestInbox<Claim> start() {
        return new RedisInboxUnderTest<>(redis, RedisInbox::open, new Calls());
    }

    /** Calls to somebody who takes nothing back. */
    private static final class Calls implements TestInbox.Effects<Claim> {

        private final List<UUID> made = new CopyOnWriteArrayList<>();

        @Override
        public void write(Claim claim, UUID event) {
            claim.check();
            made.add(event);
        }

        @Override
        public List<UUID> kept() {
            return made;
        }
    }
}
