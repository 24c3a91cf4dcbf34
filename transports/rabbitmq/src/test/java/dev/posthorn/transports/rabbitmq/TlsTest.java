package dev.posthorn.transports.rabbitmq;

import static dev.posthorn.transports.rabbitmq.Town.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a broker of its own, whose certificate is for localhost and signed by itself. */
@Tag("slow")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TlsTest {

    private static final Endpoint.Login ADMIN = new Endpoint.Login(User.ADMIN.name(), User.ADMIN.password());
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static EmbeddedRabbitMq broker;
    private static KeyStore keys;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        RabbitMq.requireInstalled();
        keys = certificate();
        write("cert.pem", "CERTIFICATE", keys.getCertificate("broker").getEncoded());
        write("key.pem", "PRIVATE KEY", keys.getKey("broker", PASSWORD).getEncoded());
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        broker = EmbeddedRabbitMq.start(
                List.of(User.ADMIN),
                List.of(
                        "listeners.ssl.default = 127.0.0.1:" + port,
                        "ssl_options.cacertfile = " + folder.resolve("cert.pem"),
                        "ssl_options.certfile = " + folder.resolve("cert.pem"),
                        "ssl_options.keyfile = " + folder.resolve("key.pem"),
                        "ssl_options.verify = verify_none"));
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void eventsFlowOverTlsAndClientPropertiesArePassedOn() throws Exception {
        Endpoint endpoint = Endpoint.of("localhost:" + port, ADMIN)
                .tls(trusting(keys))
                .client(factory -> factory.setClientProperties(Map.of("product", "a-shop")));
        Inbound inbound = new Inbound();
        try (RabbitMqTransport transport = new RabbitMqTransport(RabbitMqConfig.of(endpoint, "tls"))) {
            var unused = transport.subscribe(Subscriber.named("billing"), inbound);

            assertThat(outcome(transport, Event.of("orders", "Placed").build())).isEqualTo(Outcome.accepted());

            inbound.await(1);
            assertThat(broker.control("list_connections", "ssl", "client_properties"))
                    .contains("true")
                    .contains("a-shop");
        }
    }

    @Test
    void aCertificateForAnotherHostIsUnavailable() throws Exception {
        assertUnavailable(Endpoint.of("127.0.0.1:" + port, ADMIN).tls(trusting(keys)));
    }

    @Test
    void aCertificateThatNobodyTrustsIsUnavailable() throws Exception {
        assertUnavailable(Endpoint.of("localhost:" + port, ADMIN).tls(SSLContext.getDefault()));
    }

    private static void assertUnavailable(Endpoint endpoint) {
        try (RabbitMqTransport transport = new RabbitMqTransport(RabbitMqConfig.of(endpoint, "tls"))) {
            assertThat(outcome(transport, Event.of("orders", "Placed").build()))
                    .isInstanceOf(Outcome.Unavailable.class);
        }
    }

    private static KeyStore certificate() throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("broker.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "broker",
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-validity",
                        "2",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).as("exit code of keytool").isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static SSLContext trusting(KeyStore keys) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("broker", keys.getCertificate("broker"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static void write(String name, String kind, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(
                folder.resolve(name), "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }
}
