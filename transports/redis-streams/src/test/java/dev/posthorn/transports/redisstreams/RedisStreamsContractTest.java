package dev.posthorn.transports.redisstreams;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedisStreamsContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return TestRedis.start();
    }

    /** Redis keeps what nobody reads yet, so there is nothing unroutable. */
    @Override
    protected Set<String> skips() {
        return Set.of("anEventThatNobodyWouldGetIsNotAccepted");
    }
}
