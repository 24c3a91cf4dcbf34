package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.snssqs.AwsAccess;
import dev.posthorn.transports.snssqs.SnsSqsConfig;
import dev.posthorn.transports.snssqs.SnsSqsTransport;

class SnsSqsEndToEndTest extends RelayEndToEnd {

    /** The emulator has one thread: with more it takes everything before it hands out the first fifth. */
    private static final SnsSqsConfig.Limits ONE_CALL = new SnsSqsConfig.Limits(100, 1, 10);

    @Override
    BrokerUnderTest startBroker() {
        EmbeddedSnsSqs broker = Brokers.orSkip(EmbeddedSnsSqs::start);
        AwsAccess access =
                AwsAccess.in("eu-central-1").endpoint(broker.endpoint()).credentials("any", "any");
        return new BrokerUnderTest() {
            @Override
            public Bus open() {
                return new SnsSqsTransport(
                        SnsSqsConfig.of(access).prefix("shop").limits(ONE_CALL));
            }

            @Override
            public void kill() {
                broker.kill();
            }

            @Override
            public void start() {
                broker.startAgain();
            }

            @Override
            public void close() {
                broker.close();
            }
        };
    }
}
