package dev.posthorn.transports.kafka;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;

public final class KafkaBrokerProvider implements TestBrokerProvider {

    @Override
    public TestBroker start() {
        return KafkaBroker.started();
    }
}
