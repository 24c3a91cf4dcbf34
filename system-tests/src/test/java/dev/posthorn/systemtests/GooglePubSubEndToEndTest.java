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
import java.util.Optional;
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
        return new Emulator(broker);
    }

    private record Emulator(EmbeddedPubSub broker, Forwarder near, Forwarder far) implements BrokerUnderTest {

        Emulator(EmbeddedPubSub broker) {
            this(broker, networkTo(broker), networkTo(broker));
        }

        private static Forwarder networkTo(EmbeddedPubSub broker) {
            return Forwarder.to(Integer.parseInt(broker.address().split(":", 2)[1]));
        }

        @Override
        public Bus open() {
            return open(near);
        }

        @Override
        public Bus openThroughNetwork() {
            return open(far);
        }

        private static Bus open(Forwarder way) {
            return new GooglePubSubTransport(
                    GooglePubSubConfig.parse("pubsub://posthorn-test?emulator=127.0.0.1:" + way.port())
                            .prefix("shop")
                            .subscriptions(SubscriptionSettings.STANDARD.ackDeadline(Duration.ofSeconds(10))));
        }

        @Override
        public void kill() {
            try {
                near.shut();
                far.shut();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void start() {
            near.reopen();
            far.reopen();
        }

        @Override
        public void freeze() {
            broker.freeze();
        }

        @Override
        public void thaw() {
            broker.thaw();
        }

        @Override
        public Optional<Forwarder> network() {
            return Optional.of(far);
        }

        @Override
        public void close() {
            near.close();
            far.close();
            broker.close();
        }
    }
}
