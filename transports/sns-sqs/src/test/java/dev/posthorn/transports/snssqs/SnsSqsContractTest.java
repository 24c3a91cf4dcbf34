package dev.posthorn.transports.snssqs;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class SnsSqsContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return TestSnsSqs.start();
    }

    /** SNS takes events of which nobody wants to know, and does not tell. */
    @Override
    protected Set<String> skips() {
        return Set.of("anEventThatNobodyWouldGetIsNotAccepted");
    }
}
