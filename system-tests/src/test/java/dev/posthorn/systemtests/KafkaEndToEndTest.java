package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.kafka.KafkaConfig;

class KafkaEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedKafka kafka = Brokers.orSkip(EmbeddedKafka::start);
        return new BrokerUnderTest() {
            @Override
            public Bus open() {
                return KafkaConfig.of(kafka.address(), "shop").build();
            }

            @Override
            public void kill() {
                kafka.kill();
            }

            @Override
            public void start() {
                kafka.startAgain();
            }

            @Override
            public void close() {
                kafka.close();
            }
        };
    }
}
