package dev.posthorn.transports.googlepubsub;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class GooglePubSubFaultsTest extends TransportFaultsContract {

    @Override
    protected TestBroker startBroker() {
        return TestPubSub.start();
    }
}
