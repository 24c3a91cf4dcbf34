package dev.posthorn.transports.ipc;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;

public final class TestIpcProvider implements TestBrokerProvider {

    @Override
    public TestBroker start() {
        return TestIpc.inAProcess(config -> config.acceptance(Acceptance.HANDLED));
    }
}
