package dev.posthorn.transports.kafka;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import java.util.Set;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class KafkaContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return KafkaBroker.shared();
    }

    @Override
    protected Set<String> skips() {
        return Set.of("anEventThatNobodyWouldGetIsNotAccepted");
    }
}
