package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.snssqs.AwsAccess;
import dev.posthorn.transports.snssqs.SnsSqsConfig;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.net.URI;

class SnsSqsEndToEndTest extends RelayEndToEnd {

    /** The emulator has one thread: with more it takes everything before it hands out the first fifth. */
    private static final SnsSqsConfig.Limits ONE_CALL = new SnsSqsConfig.Limits(100, 1, 10);

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedSnsSqs broker = Brokers.orSkip(EmbeddedSnsSqs::start);
        return new EmbeddedBrokerUnderTest(broker, broker.endpoint().getPort(), SnsSqsEndToEndTest::open);
    }

    private static Bus open(int port) {
        AwsAccess access = AwsAccess.in("eu-central-1")
                .endpoint(URI.create("http://127.0.0.1:" + port))
                .credentials("any", "any");
        return new SnsSqsTransport(SnsSqsConfig.of(access).prefix("shop").limits(ONE_CALL));
    }
}
