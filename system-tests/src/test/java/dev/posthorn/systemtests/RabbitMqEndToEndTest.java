package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

class RabbitMqEndToEndTest extends RelayEndToEnd {

    private @Nullable EmbeddedRabbitMq broker;

    /** It has no memory left: connections stay open, and what is published on them is neither read nor confirmed. */
    @Override
    void strikeAsOnlyThisBrokerCan(DestinationOutages outages) {
        EmbeddedRabbitMq own = Objects.requireNonNull(broker);
        outages.strike(
                "without memory",
                DestinationOutages.hold(12),
                () -> own.control("set_vm_memory_high_watermark", "absolute", "1"),
                () -> own.control("set_vm_memory_high_watermark", "0.6"));
    }

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedRabbitMq started = Brokers.orSkip(EmbeddedRabbitMq::start);
        broker = started;
        Endpoint.Login login = new Endpoint.Login(User.ADMIN.name(), User.ADMIN.password());
        return new EmbeddedBrokerUnderTest(
                started,
                started.port(),
                port -> new RabbitMqTransport(
                        RabbitMqConfig.of(Endpoint.of(started.host() + ":" + port, login), "shop"))) {

            /** Queues that were declared a moment ago would not survive it, and that is not what this is about. */
            @Override
            public void kill() {
                started.flush();
                super.kill();
            }
        };
    }
}
