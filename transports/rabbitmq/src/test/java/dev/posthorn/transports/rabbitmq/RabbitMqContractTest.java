package dev.posthorn.transports.rabbitmq;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import org.junit.jupiter.api.Tag;

/** With all defaults, and under the least privileges. */
@Tag("slow")
class RabbitMqContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return new RabbitMqTestBroker(config -> config);
    }
}
