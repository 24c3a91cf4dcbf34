package dev.posthorn.transports.rabbitmq;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.testkit.ProvisionContract;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provisioning;
import java.util.UUID;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RabbitMqProvisionTest extends ProvisionContract {

    private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);

    @Override
    protected Bus open(Provisioning provisioning) {
        return new RabbitMqTransport(RabbitMq.config(prefix, User.ADMIN).provision(provisioning));
    }

    @Override
    protected void remove(DestinationKind kind, String name) {
        RabbitMq.asAdmin(
                channel -> kind == DestinationKind.QUEUE ? channel.queueDelete(name) : channel.exchangeDelete(name));
    }

    @Override
    protected DestinationKind ofSubscribers() {
        return DestinationKind.QUEUE;
    }
}
