package dev.posthorn.payloadstores.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.claimcheck.StoredPayload;
import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.PayloadStoreContract;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

class S3PayloadStoreTest extends PayloadStoreContract {

    private static final String BUCKET = "payloads";

    private static EmbeddedSnsSqs emulator;
    private static S3Client client;
    private static PayloadStore store;

    @BeforeAll
    static void start() {
        EmbeddedSnsSqs.obstacle().ifPresent(why -> {
            assumeTrue("true".equals(System.getenv("CI")), "There is no emulator of S3: " + why);
            throw new IllegalStateException("There is no emulator of S3: " + why);
        });
        emulator = EmbeddedSnsSqs.start();
        client = S3Client.builder()
                .endpointOverride(emulator.endpoint())
                .region(Region.EU_CENTRAL_1)
                .httpClientBuilder(Apache5HttpClient.builder())
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")))
                .forcePathStyle(true)
                .build();
        client.createBucket(request -> request.bucket(BUCKET));
        store = new S3PayloadStore(config().withPrefix("posthorn/payloads"));
    }

    @AfterAll
    static void stop() {
        if (emulator != null) {
            store.close();
            client.close();
            emulator.close();
        }
    }

    private static S3Config config() {
        return S3Config.in(BUCKET)
                .withRegion("eu-central-1")
                .withEndpoint(emulator.endpoint())
                .withCredentials("a", "b");
    }

    @Override
    protected PayloadStore store() {
        return store;
    }

    @Override
    protected PayloadStore unreachable() {
        return new S3PayloadStore(
                config().withEndpoint(URI.create("http://127.0.0.1:1")).withAnswer(Duration.ofMillis(500)));
    }

    @Override
    protected void putStranger() {
        client.putObject(
                request -> request.bucket(BUCKET).key("posthorn/payloads/notes.txt"),
                RequestBody.fromString("not ours"));
        client.putObject(
                request -> request.bucket(BUCKET).key("posthorn/payloads-of-others/" + "ab".repeat(32)),
                RequestBody.fromString("not ours"));
    }

    @Test
    void anotherPrefixIsAnotherStore() {
        byte[] content = {1, 2, 3};
        store.put(PayloadKey.of(content), ByteBuffer.wrap(content));
        List<StoredPayload> seen = new ArrayList<>();

        try (PayloadStore other = new S3PayloadStore(config().withPrefix("other"))) {
            other.each(seen::add);
            assertThat(other.get(PayloadKey.of(content), 3)).isEmpty();
        }

        assertThat(seen).isEmpty();
    }

    @Test
    void aBucketThatIsNotThereIsTroubleAndNotAMissingPayload() {
        PayloadKey key = PayloadKey.of(new byte[] {1});
        try (PayloadStore missing = new S3PayloadStore(S3Config.in("no-such-bucket")
                .withRegion("eu-central-1")
                .withEndpoint(emulator.endpoint())
                .withCredentials("a", "b"))) {
            assertThatThrownBy(() -> missing.get(key, 1)).isInstanceOf(PayloadStoreException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "a/", "a//b", "a/../b?", "a b"})
    void aPrefixIsWordsWithSlashesBetween(String prefix) {
        assertThatThrownBy(() -> config().withPrefix(prefix)).isInstanceOf(PosthornException.class);
    }

    @Test
    void itsTextTellsTheBucketAndNoSecret() {
        assertThat(config().withPrefix("a/b").withCredentials("id", "secret").toString())
                .isEqualTo("s3://payloads/a/b");
    }
}
