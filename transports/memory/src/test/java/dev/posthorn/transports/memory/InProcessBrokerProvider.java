package dev.posthorn.transports.memory;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;

public final class InProcessBrokerProvider implements TestBrokerProvider {

    @Override
    public TestBroker start() {
        return new InProcessBroker();
    }
}
