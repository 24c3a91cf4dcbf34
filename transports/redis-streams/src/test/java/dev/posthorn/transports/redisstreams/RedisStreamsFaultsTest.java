package dev.posthorn.transports.redisstreams;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedisStreamsFaultsTest extends TransportFaultsContract {

    /** With any other setting Redis itself loses what it accepted when it is killed. */
    @Override
    protected TestBroker startBroker() {
        return TestRedis.start(Map.of("appendfsync", "always"));
    }
}
