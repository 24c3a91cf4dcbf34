package dev.posthorn.transports.postgreslog;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class PostgresLogContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return new PostgresBroker();
    }

    @Override
    protected Set<String> skips() {
        return Set.of(
                "aDeadLetterAtTheBrokerCarriesWhatTheConsumerKnowsAboutIt", // the state of an event has room for a
                // reason
                "anEventThatNobodyWouldGetIsNotAccepted", // what is in the log waits for whoever may subscribe
                "hostileBytesReachTheUndecodablePathAndKillNothing"); // the table's constraints let only events in
    }
}
