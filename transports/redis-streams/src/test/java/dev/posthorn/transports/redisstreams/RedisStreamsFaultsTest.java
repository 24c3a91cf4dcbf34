package dev.posthorn.transports.redisstreams;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedisStreamsFaultsTest extends TransportFaultsContract {

    @Override
    protected TestBroker startBroker() {
        return TestRedis.start();
    }
}
