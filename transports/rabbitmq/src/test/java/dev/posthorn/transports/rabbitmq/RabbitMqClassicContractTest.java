package dev.posthorn.transports.rabbitmq;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RabbitMqClassicContractTest extends TransportContract {

    @Override
    protected TestBroker startBroker() {
        return new RabbitMqTestBroker(config -> config.queues(Queues.STANDARD.type(Queues.Type.CLASSIC)));
    }
}
