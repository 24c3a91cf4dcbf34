package dev.posthorn.transports.googlepubsub;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;

public final class TestPubSubProvider implements TestBrokerProvider {

    @Override
    public TestBroker start() {
        return TestPubSub.start();
    }
}
