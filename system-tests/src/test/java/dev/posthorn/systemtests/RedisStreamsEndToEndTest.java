package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.transport.Names;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import java.util.Map;

class RedisStreamsEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedRedis broker = Brokers.orSkip(() -> EmbeddedRedis.start(Map.of("appendfsync", "always")));
        return new EmbeddedBrokerUnderTest(
                broker,
                broker.port(),
                port -> new RedisStreamsTransport(RedisStreamsConfig.at("redis://" + broker.host() + ":" + port)
                        .names(Names.withPrefix("shop"))));
    }
}
