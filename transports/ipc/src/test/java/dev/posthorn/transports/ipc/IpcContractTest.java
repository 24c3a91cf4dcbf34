package dev.posthorn.transports.ipc;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import org.junit.jupiter.api.Tag;

/** The first transport hosts the hub. */
@Tag("slow")
class IpcContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return TestIpc.hostedByTransports(config -> config);
    }
}
