package dev.posthorn.transports.googlepubsub;

import dev.posthorn.testkit.ProvisionContract;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provisioning;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class GooglePubSubProvisionTest extends ProvisionContract {

    private static TestPubSub broker;

    private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void start() {
        broker = TestPubSub.start();
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Override
    protected Bus open(Provisioning provisioning) {
        return new GooglePubSubTransport(broker.config(prefix).provision(provisioning));
    }

    @Override
    protected void remove(DestinationKind kind, String name) {
        String last = name.substring(name.lastIndexOf('/') + 1);
        if (kind == DestinationKind.TOPIC) {
            broker.admin().deleteTopic(last);
        } else {
            broker.admin().deleteSubscription(last);
        }
    }

    @Override
    protected DestinationKind ofSubscribers() {
        return DestinationKind.SUBSCRIPTION;
    }
}
