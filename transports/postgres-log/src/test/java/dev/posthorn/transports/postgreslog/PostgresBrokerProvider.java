package dev.posthorn.transports.postgreslog;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;

public final class PostgresBrokerProvider implements TestBrokerProvider {

    @Override
    public TestBroker start() {
        return new PostgresBroker();
    }
}
