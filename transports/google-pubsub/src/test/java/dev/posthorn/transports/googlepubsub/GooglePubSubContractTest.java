package dev.posthorn.transports.googlepubsub;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class GooglePubSubContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return TestPubSub.start();
    }

    /** A topic takes what nobody has subscribed to, and drops it. */
    @Override
    protected Set<String> skips() {
        return Set.of("anEventThatNobodyWouldGetIsNotAccepted");
    }
}
