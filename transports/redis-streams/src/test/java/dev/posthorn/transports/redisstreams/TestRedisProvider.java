package dev.posthorn.transports.redisstreams;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;

public final class TestRedisProvider implements TestBrokerProvider {

    @Override
    public TestBroker start() {
        return TestRedis.start();
    }
}
