package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

class RabbitMqRollingDeployTest extends RollingDeploy {

    private @Nullable EmbeddedRabbitMq broker;

    @Override
    void startBroker(HikariDataSource database) {
        broker = orSkip(EmbeddedRabbitMq::start);
    }

    @Override
    Bus open() {
        EmbeddedRabbitMq started = Objects.requireNonNull(broker);
        return new RabbitMqTransport(RabbitMqConfig.of(
                Endpoint.of(
                        started.host() + ":" + started.port(),
                        new Endpoint.Login(User.ADMIN.name(), User.ADMIN.password())),
                "shop"));
    }

    @Override
    void endBroker() {
        if (broker != null) {
            broker.close();
        }
    }
}
