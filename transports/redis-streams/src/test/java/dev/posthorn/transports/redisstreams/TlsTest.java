package dev.posthorn.transports.redisstreams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class TlsTest {

    @TempDir
    Path folder;

    @Test
    void eventsTravelEncryptedAndAStrangeCertificateIsUnavailable() throws Exception {
        makeCertificate();
        int port = freePort();
        try (TestRedis redis = TestRedis.start(Map.of(
                "tls-port", Integer.toString(port),
                "tls-cert-file", file("cert.pem"),
                "tls-key-file", file("key.pem"),
                "tls-ca-cert-file", file("cert.pem"),
                "tls-auth-clients", "no"))) {
            ClientOptions trusting = ClientOptions.builder()
                    .sslOptions(SslOptions.builder()
                            .trustManager(folder.resolve("cert.pem").toFile())
                            .build())
                    .build();
            RedisURI uri = RedisURI.builder()
                    .withHost(redis.server().host())
                    .withPort(port)
                    .withSsl(true)
                    .withAuthentication(TestRedis.USER, TestRedis.SECRET.toCharArray())
                    .build();
            RedisStreamsConfig config =
                    RedisStreamsConfig.at(uri).names(Names.withPrefix("t-tls")).timing(TestRedis.TIMING);
            Event event = Event.of("orders", "Placed").build();
            Inbound inbound = new Inbound();

            Outcome strange = outcome(config, event, new Inbound());
            Outcome trusted = outcome(config.client(trusting), event, inbound);

            assertThat(strange).isInstanceOf(Outcome.Unavailable.class);
            assertThat(trusted).isEqualTo(Outcome.accepted());
            assertThat(inbound.events()).containsExactly(event);
        }
    }

    private static Outcome outcome(RedisStreamsConfig config, Event event, Inbound inbound) {
        try (RedisStreamsTransport transport = new RedisStreamsTransport(config);
                Publisher publisher = transport.publisher()) {
            transport.subscribe(Subscriber.named("billing").domains("orders"), inbound);
            TrackedPublication publication = new TrackedPublication(event, 1);
            publisher.publish(List.of(publication));
            Outcome outcome = publication.awaitOutcome();
            if (outcome.equals(Outcome.accepted())) {
                inbound.await(1);
            }
            return outcome;
        }
    }

    private String file(String name) {
        return "\"" + folder.resolve(name) + "\"";
    }

    private void makeCertificate() throws InterruptedException {
        try {
            Process openssl = new ProcessBuilder(
                            List.of("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
                                    .concat(" subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem")
                                    .split(" ", -1)))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(openssl.waitFor()).isZero();
        } catch (IOException missing) {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail("openssl is not installed on this machine");
            }
            System.out.println("Redis is not tested with TLS: openssl is not installed on this machine");
            Assumptions.abort("openssl is not installed on this machine");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
