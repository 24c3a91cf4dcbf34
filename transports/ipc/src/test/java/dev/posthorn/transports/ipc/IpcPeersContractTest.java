package dev.posthorn.transports.ipc;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import org.junit.jupiter.api.Tag;

/** Each subscriber has a hub of its own. */
@Tag("slow")
class IpcPeersContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return TestIpc.hostedByTransports(config -> config.shape(Shape.PEERS));
    }
}
