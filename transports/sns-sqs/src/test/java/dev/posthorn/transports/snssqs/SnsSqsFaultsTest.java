package dev.posthorn.transports.snssqs;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class SnsSqsFaultsTest extends TransportFaultsContract {

    @Override
    protected TestBroker startBroker() {
        return TestSnsSqs.start();
    }
}
