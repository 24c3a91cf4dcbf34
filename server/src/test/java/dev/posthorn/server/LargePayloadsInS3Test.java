package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.payloadstores.s3.S3Config;
import dev.posthorn.payloadstores.s3.S3PayloadStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay process that keeps large payloads in a bucket, as its file says. */
@Tag("slow")
@Timeout(300)
class LargePayloadsInS3Test {

    private static final String LARGE = "marker-of-the-large ".repeat(500);

    @TempDir
    private Path folder;

    @Test
    void aLargePayloadLiesInTheBucketAndItsEventTravelsAsAReference() throws Exception {
        Assumptions.assumeTrue(
                EmbeddedSnsSqs.obstacle().isEmpty() || "true".equals(System.getenv("CI")),
                () -> "There is no emulator of S3: " + EmbeddedSnsSqs.obstacle().orElse(""));
        try (EmbeddedSnsSqs emulator = EmbeddedSnsSqs.start();
                EmbeddedPostgres server =
                        EmbeddedPostgres.builder().unsafeFast().start()) {
            createBucket(emulator.endpoint());
            String url = server.createDatabase("shop");
            Path config =
                    Files.writeString(folder.resolve("posthorn.yaml"), """
                    database: {url: '%1$s'}
                    transports: {out: {address: 'file:%2$s/out'}}
                    routes: {all: {transport: out, start: beginning}}
                    claim-check: {store: 's3://payloads/shop?endpoint=%3$s', threshold: 2000}
                    """.formatted(url, folder, emulator.endpoint()));
            Map<String, String> credentials =
                    Map.of("AWS_REGION", "eu-central-1", "AWS_ACCESS_KEY_ID", "a", "AWS_SECRET_ACCESS_KEY", "b");
            try (StartedRelay relay = new StartedRelay(credentials, config).untilStarted(1)) {
                emitLarge(url);
                relay.await("it is published", () -> Files.exists(folder.resolve("out")));
                assertThat(relay.stop()).isZero();
            }

            assertThat(Files.readString(folder.resolve("out")))
                    .contains("application/vnd.posthorn.claim+json")
                    .doesNotContain("marker-of-the-large");
            byte[] bytes = LARGE.getBytes(StandardCharsets.UTF_8);
            try (PayloadStore store = new S3PayloadStore(S3Config.in("payloads")
                    .withPrefix("shop")
                    .withRegion("eu-central-1")
                    .withEndpoint(emulator.endpoint())
                    .withCredentials("a", "b"))) {
                assertThat(store.get(PayloadKey.of(ByteBuffer.wrap(bytes)), bytes.length))
                        .hasValue(bytes);
            }
        }
    }

    private static void emitLarge(String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT posthorn.emit('orders', 'large', '" + LARGE + "')");
        }
    }

    private static void createBucket(URI endpoint) throws Exception {
        HttpRequest create = HttpRequest.newBuilder(endpoint.resolve("/payloads"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(create, HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }
}
