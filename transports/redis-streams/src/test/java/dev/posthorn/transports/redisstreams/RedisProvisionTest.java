package dev.posthorn.transports.redisstreams;

import dev.posthorn.testkit.ProvisionContract;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provisioning;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedisProvisionTest extends ProvisionContract {

    private static TestRedis redis;

    private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
    }

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    @Override
    protected Bus open(Provisioning provisioning) {
        return new RedisStreamsTransport(redis.config(prefix).provision(provisioning));
    }

    @Override
    protected void remove(DestinationKind kind, String name) {
        if (kind == DestinationKind.STREAM) {
            redis.admin().sync().del(name);
        } else {
            int slash = name.indexOf('/');
            redis.admin().sync().xgroupDestroy(name.substring(0, slash), name.substring(slash + 1));
        }
    }

    @Override
    protected DestinationKind ofSubscribers() {
        return DestinationKind.GROUP;
    }
}
