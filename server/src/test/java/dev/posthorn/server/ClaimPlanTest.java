package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.claimcheck.PayloadStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a relay process keeps large payloads, by the address of the store. */
class ClaimPlanTest {

    @TempDir
    private Path folder;

    @Test
    void aFolderIsAStore() {
        try (PayloadStore store = ClaimPlan.checked("file:" + folder).open()) {
            assertThat(store.toString()).contains(folder.toString());
        }
    }

    @Test
    void aBucketOfGooglesIsAStoreWithItsPrefix() {
        try (PayloadStore store = ClaimPlan.checked("gs://payloads/shop/large").open()) {
            assertThat(store.toString()).isEqualTo("gs://payloads/shop/large");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "minio", "http://user:secret@127.0.0.1:9000", "127.0.0.1:9000", "http://a b"})
    void anEndpointThatIsNoneIsRefused(String endpoint) {
        assertThatThrownBy(() -> ClaimPlan.checked("s3://payloads/shop?endpoint=" + endpoint))
                .hasMessageContaining("endpoint of S3 looks like http://127.0.0.1:9000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gs://", "s3:///large", "ftp://payloads/large", "gcs://payloads"})
    void whatIsNoStoreIsRefusedWithWhatMayBeWritten(String address) {
        assertThatThrownBy(() -> ClaimPlan.checked(address))
                .hasMessageContaining(address)
                .hasMessageContaining("gs://BUCKET/PREFIX");
    }
}
