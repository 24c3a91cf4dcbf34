package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Names;
import dev.posthorn.transports.redisstreams.RedisStreamsConfig;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

class RedisStreamsRollingDeployTest extends RollingDeploy {

    private @Nullable EmbeddedRedis broker;

    @Override
    void startBroker(HikariDataSource database) {
        broker = orSkip(EmbeddedRedis::start);
    }

    @Override
    Bus open() {
        EmbeddedRedis started = Objects.requireNonNull(broker);
        return new RedisStreamsTransport(RedisStreamsConfig.at("redis://" + started.host() + ":" + started.port())
                .names(Names.withPrefix("shop")));
    }

    @Override
    void endBroker() {
        if (broker != null) {
            broker.close();
        }
    }
}
