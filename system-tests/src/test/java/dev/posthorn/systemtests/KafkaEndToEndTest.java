package dev.posthorn.systemtests;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.transports.kafka.KafkaConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;

/** Clients that connect over the network use a separate listener, which advertises the network's address. */
class KafkaEndToEndTest extends RelayEndToEnd {

    private static final String OWN = "PLAINTEXT://{address},SASL_PLAINTEXT://{guarded-address},FAR://127.0.0.1:";

    @Override
    BrokerUnderTest startBroker() {
        Forwarder network = Forwarder.toNowhere();
        int controller = freePort();
        int door = freePort();
        network.lead(door);
        EmbeddedKafka broker = Brokers.orSkip(() -> EmbeddedKafka.start(Map.of(
                "listeners",
                OWN + door + ",CONTROLLER://127.0.0.1:" + controller,
                "advertised.listeners",
                OWN + network.port(),
                "controller.quorum.voters",
                "1@127.0.0.1:" + controller,
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,FAR:PLAINTEXT,CONTROLLER:PLAINTEXT")));
        String address = broker.address();
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return new EmbeddedBrokerUnderTest(
                broker,
                port,
                network,
                any -> KafkaConfig.of("127.0.0.1:" + any, "shop").build());
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
