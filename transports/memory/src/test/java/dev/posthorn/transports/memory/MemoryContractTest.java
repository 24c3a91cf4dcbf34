package dev.posthorn.transports.memory;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import java.util.Set;

class MemoryContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return new InProcessBroker();
    }

    @Override
    protected Set<String> skips() {
        return Set.of(
                "anEventThatNobodyWouldGetIsNotAccepted",
                "aPayloadThatIsTooLargeIsRefusedAndTheNextEventGoesThrough",
                "hostileBytesReachTheUndecodablePathAndKillNothing");
    }
}
