package dev.posthorn.transports.snssqs;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;

public final class TestSnsSqsProvider implements TestBrokerProvider {

    @Override
    public TestBroker start() {
        return TestSnsSqs.start();
    }
}
