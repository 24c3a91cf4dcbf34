package dev.posthorn.transports.ipc;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The hub is a process of its own, and what it has accepted dies with it. */
@Tag("slow")
class IpcFaultsTest extends TransportFaultsContract {

    @Override
    protected TestBroker startBroker() {
        return TestIpc.inAProcess(config -> config);
    }

    @Override
    protected Set<String> skips() {
        return Set.of(
                "aBrokerKilledInTheMiddleLosesNothingAndKeepsTheOrder",
                "aHalfOpenConnectionIsFoundAndReplaced",
                "lateAnswersAreWaitedForAndNothingComesTwice");
    }
}
