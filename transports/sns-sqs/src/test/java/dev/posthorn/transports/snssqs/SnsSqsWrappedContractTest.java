package dev.posthorn.transports.snssqs;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The same with a notification of SNS around every message. */
@Tag("slow")
class SnsSqsWrappedContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return TestSnsSqs.start(false);
    }

    @Override
    protected Set<String> skips() {
        return Set.of("anEventThatNobodyWouldGetIsNotAccepted");
    }
}
