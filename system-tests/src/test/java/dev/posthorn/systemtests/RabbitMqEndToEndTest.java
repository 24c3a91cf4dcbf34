package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;

class RabbitMqEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        return new OwnRabbitMq(Brokers.orSkip(EmbeddedRabbitMq::start));
    }

    private record OwnRabbitMq(EmbeddedRabbitMq broker) implements BrokerUnderTest {

        @Override
        public Bus open() {
            Endpoint endpoint = Endpoint.of(
                    broker.host() + ":" + broker.port(), new Endpoint.Login(User.ADMIN.name(), User.ADMIN.password()));
            return new RabbitMqTransport(RabbitMqConfig.of(endpoint, "shop"));
        }

        /** Queues that were declared a moment ago would not survive it, and that is not what this is about. */
        @Override
        public void kill() {
            broker.flush();
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
    }
}
