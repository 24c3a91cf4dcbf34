package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.googlepubsub.GooglePubSubConfig;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import dev.posthorn.transports.googlepubsub.SubscriptionSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;

/** The emulator forgets everything when it is killed, which Pub/Sub does not; so the network to it is cut. */
class GooglePubSubEndToEndTest extends RelayEndToEnd {

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedPubSub broker = Brokers.orSkip(EmbeddedPubSub::start);
        if (!broker.kind().keepsOrder()) {
            broker.close();
            System.out.println("skipped: GooglePubSubEndToEndTest, because pstest keeps no order");
            Assumptions.abort("pstest keeps no order");
        }
        Forwarder network = Forwarder.to(Integer.parseInt(broker.address().split(":", 2)[1]));
        return new BrokerUnderTest() {
            @Override
            public Bus open() {
                return new GooglePubSubTransport(
                        GooglePubSubConfig.parse("pubsub://posthorn-test?emulator=127.0.0.1:" + network.port())
                                .prefix("shop")
                                .subscriptions(SubscriptionSettings.STANDARD.ackDeadline(Duration.ofSeconds(10))));
            }

            @Override
            public void kill() {
                try {
                    network.shut();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void start() {
                network.reopen();
            }

            @Override
            public void close() {
                network.close();
                broker.close();
            }
        };
    }
}
