package dev.posthorn.transports.kafka;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class KafkaFaultsTest extends TransportFaultsContract {

    @Override
    protected TestBroker startBroker() {
        return KafkaBroker.startedBehindANetwork();
    }
}
