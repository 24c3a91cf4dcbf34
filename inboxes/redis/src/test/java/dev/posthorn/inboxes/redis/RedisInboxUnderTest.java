package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.Inbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig.Timing;
import dev.posthorn.testkit.TestInbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Inboxes with marks of their own, as the documented user; how effects are made is the test's. */
final class RedisInboxUnderTest<T> implements TestInbox<T> {

    private final TestRedis redis;
    private final Function<RedisInboxConfig, RedisInbox<T>> open;
    private final Effects<T> effects;
    private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
    private final List<RedisInbox<T>> opened = new ArrayList<>();

    RedisInboxUnderTest(TestRedis redis, Function<RedisInboxConfig, RedisInbox<T>> open, Effects<T> effects) {
        this.redis = redis;
        this.open = open;
        this.effects = effects;
    }

    @Override
    public Inbox<T> patient(Duration longest) {
        return opened(redis.config(prefix).timing(Timing.STANDARD.patience(longest)));
    }

    @Override
    public Inbox<T> unreachable() {
        return opened(RedisInboxConfig.at("redis://127.0.0.1:1"));
    }

    private RedisInbox<T> opened(RedisInboxConfig config) {
        RedisInbox<T> inbox = open.apply(config);
        opened.add(inbox);
        return inbox;
    }

    @Override
    public Effects<T> effects() {
        return effects;
    }

    @Override
    public void close() {
        opened.forEach(RedisInbox::close);
    }
}
