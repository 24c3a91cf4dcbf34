package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.Endpoint.Login;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;

class RabbitMqEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedRabbitMq broker = Brokers.orSkip(EmbeddedRabbitMq::start);
        return new BrokerUnderTest() {
            @Override
            public Bus open() {
                return new RabbitMqTransport(RabbitMqConfig.of(
                        Endpoint.of(
                                broker.host() + ":" + broker.port(),
                                new Login(User.ADMIN.name(), User.ADMIN.password())),
                        "shop"));
            }

            @Override
            public void kill() {
                broker.kill();
            }

            @Override
            public void start() {
                broker.startAgain();
            }

            @Override
            public void close() {
                broker.close();
            }
        };
    }
}
