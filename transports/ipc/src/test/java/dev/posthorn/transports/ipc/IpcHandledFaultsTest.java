package dev.posthorn.transports.ipc;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** What is accepted only when it is handled is not lost when the hub dies. */
@Tag("slow")
class IpcHandledFaultsTest extends TransportFaultsContract {

    @Override
    protected TestBroker startBroker() {
        return TestIpc.inAProcess(config -> config.acceptance(Acceptance.HANDLED));
    }

    @Override
    protected Set<String> skips() {
        return Set.of("aHalfOpenConnectionIsFoundAndReplaced", "lateAnswersAreWaitedForAndNothingComesTwice");
    }
}
