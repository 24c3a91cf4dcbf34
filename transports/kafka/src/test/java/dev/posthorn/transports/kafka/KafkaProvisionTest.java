package dev.posthorn.transports.kafka;

import dev.posthorn.testkit.ProvisionContract;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provisioning;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class KafkaProvisionTest extends ProvisionContract {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final String prefix = Published.newPrefix();

    @Override
    protected Bus open(Provisioning provisioning) {
        return broker.config(prefix)
                .provision(provisioning)
                .answerTime(Duration.ofSeconds(2))
                .discovery(Duration.ofMillis(200))
                .build();
    }

    @Override
    protected void remove(DestinationKind kind, String name) {
        broker.administrate(admin -> admin.deleteTopics(List.of(name)).all().get());
    }

    /** A consumer group needs nothing but its topics. */
    @Override
    protected DestinationKind ofSubscribers() {
        return DestinationKind.TOPIC;
    }
}
