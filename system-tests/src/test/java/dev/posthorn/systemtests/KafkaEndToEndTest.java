package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.kafka.KafkaConfig;

class KafkaEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedKafka broker = Brokers.orSkip(EmbeddedKafka::start);
        return new BrokerUnderTest() {
            @Override
            public Bus open() {
                return KafkaConfig.of(broker.address(), "shop").build();
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
