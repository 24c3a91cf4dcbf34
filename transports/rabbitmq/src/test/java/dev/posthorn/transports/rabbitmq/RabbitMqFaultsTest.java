package dev.posthorn.transports.rabbitmq;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RabbitMqFaultsTest extends TransportFaultsContract {

    @Override
    protected TestBroker startBroker() {
        return RabbitMqTestBroker.thatWillBeKilled();
    }
}
