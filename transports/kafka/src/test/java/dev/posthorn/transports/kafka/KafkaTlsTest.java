package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a broker of its own with a third door, whose certificate is for localhost and signed by itself. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class KafkaTlsTest {

    private static final String PASSWORD = "changeit-7315";

    @TempDir
    static Path folder;

    private static EmbeddedKafka kafka;
    private static int port;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        makeCertificate();
        int controller = freePort();
        port = freePort();
        kafka = KafkaBroker.orSkip(() -> EmbeddedKafka.start(Map.of(
                "listeners",
                "PLAINTEXT://{address},SASL_PLAINTEXT://{guarded-address},SSL://localhost:" + port
                        + ",CONTROLLER://127.0.0.1:" + controller,
                "controller.quorum.voters",
                "1@127.0.0.1:" + controller,
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,SSL:SSL,CONTROLLER:PLAINTEXT",
                "ssl.keystore.location",
                store().toString(),
                "ssl.keystore.password",
                PASSWORD,
                "ssl.key.password",
                PASSWORD)));
    }

    @AfterAll
    static void stop() {
        if (kafka != null) {
            kafka.close();
        }
    }

    @Test
    void eventsFlowOverTls() {
        KafkaConfig config = config().client("ssl.truststore.location", store().toString())
                .client("ssl.truststore.password", PASSWORD);
        Inbound inbound = new Inbound();
        try (KafkaTransport transport = config.build();
                Publisher publisher = transport.publisher()) {
            var unused = transport.subscribe(Subscriber.named("billing").domains("orders"), inbound);

            Outcome outcome = Published.by(publisher, Published.event("orders", "k"));

            assertThat(outcome).isEqualTo(Outcome.accepted());
            inbound.await(1);
        }
        assertThat(config.toString()).doesNotContain(PASSWORD);
    }

    @Test
    void aCertificateThatNobodyTrustsIsUnavailable() {
        try (KafkaTransport transport = config().build();
                Publisher publisher = transport.publisher()) {
            assertThat(Published.by(publisher, Published.event("orders", "k"))).isInstanceOf(Outcome.Unavailable.class);
        }
    }

    private static KafkaConfig config() {
        return KafkaConfig.of("localhost:" + port, "tls")
                .answerTime(Duration.ofSeconds(5))
                .client("security.protocol", "SSL");
    }

    private static Path store() {
        return folder.resolve("broker.p12");
    }

    private static void makeCertificate() throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "broker",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store().toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).as("keytool").isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
