package dev.posthorn.payloadstores.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.NoCredentials;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageOptions;
import com.google.cloud.storage.contrib.nio.testing.LocalStorageHelper;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.event.PosthornException;
import dev.posthorn.testkit.PayloadStoreContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GcsPayloadStoreTest extends PayloadStoreContract {

    private static final String BUCKET = "payloads";

    private final Storage storage = LocalStorageHelper.getOptions().getService();
    private final PayloadStore store = new GcsPayloadStore(storage, BUCKET, "posthorn/payloads");

    @Override
    protected PayloadStore store() {
        return store;
    }

    @Override
    protected PayloadStore unreachable() {
        Storage nowhere = StorageOptions.newBuilder()
                .setHost("http://127.0.0.1:1")
                .setProjectId("none")
                .setCredentials(NoCredentials.getInstance())
                .setRetrySettings(RetrySettings.newBuilder().setMaxAttempts(1).build())
                .build()
                .getService();
        return new GcsPayloadStore(nowhere, BUCKET, "");
    }

    @Override
    protected void putStranger() {
        storage.create(
                BlobInfo.newBuilder(BUCKET, "posthorn/payloads/notes.txt").build(), new byte[1]);
        storage.create(
                BlobInfo.newBuilder(BUCKET, "posthorn/payloads-of-others/" + "ab".repeat(32))
                        .build(),
                new byte[1]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "a/", "a//b", "a b"})
    void aPrefixIsWordsWithSlashesBetween(String prefix) {
        assertThatThrownBy(() -> new GcsPayloadStore(storage, BUCKET, prefix)).isInstanceOf(PosthornException.class);
    }

    @Test
    void itsTextTellsTheBucket() {
        assertThat(store.toString()).isEqualTo("gs://payloads/posthorn/payloads");
    }
}
