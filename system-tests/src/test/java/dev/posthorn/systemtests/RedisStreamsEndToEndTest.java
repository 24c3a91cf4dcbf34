package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Names;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import java.util.Map;

class RedisStreamsEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedRedis broker = Brokers.orSkip(() -> EmbeddedRedis.start(Map.of("appendfsync", "always")));
        return new BrokerUnderTest() {
            @Override
            public Bus open() {
                return new RedisStreamsTransport(RedisStreamsConfig.at("redis://" + broker.host() + ":" + broker.port())
                        .names(Names.withPrefix("shop")));
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
