package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.kafka.KafkaConfig;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

class KafkaRollingDeployTest extends RollingDeploy {

    private @Nullable EmbeddedKafka broker;

    @Override
    void startBroker(HikariDataSource database) {
        broker = orSkip(EmbeddedKafka::start);
    }

    @Override
    Bus open() {
        EmbeddedKafka started = Objects.requireNonNull(broker);
        return KafkaConfig.of(started.address(), "shop")
                .discovery(Duration.ofMillis(500))
                .build();
    }

    @Override
    void endBroker() {
        if (broker != null) {
            broker.close();
        }
    }
}
