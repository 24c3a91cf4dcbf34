package dev.posthorn.transports.rabbitmq;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TestBrokerProvider;

public final class RabbitMqBrokerProvider implements TestBrokerProvider {

    @Override
    public TestBroker start() {
        return RabbitMqTestBroker.thatWillBeKilled();
    }
}
