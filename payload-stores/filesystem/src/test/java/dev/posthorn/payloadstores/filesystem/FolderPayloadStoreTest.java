package dev.posthorn.payloadstores.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.testkit.PayloadStoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderPayloadStoreTest extends PayloadStoreContract {

    private static final byte[] CONTENT = {1, 2, 3};
    private static final PayloadKey KEY = PayloadKey.of(CONTENT);

    @TempDir
    private Path folder;

    @Override
    protected PayloadStore store() {
        return new FolderPayloadStore(folder);
    }

    @Override
    protected PayloadStore unreachable() {
        return new FolderPayloadStore(folder.resolve("not mounted"));
    }

    @Override
    protected void putStranger() {
        try {
            Files.writeString(folder.resolve("notes.txt"), "not ours");
            Files.createDirectories(folder.resolve("ab"));
            Files.writeString(folder.resolve("ab/notes.txt"), "not ours");
            Files.writeString(folder.resolve("ab").resolve("cd".repeat(32)), "on another shelf than it says");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Path file() {
        return folder.resolve(KEY.sha256().substring(0, 2)).resolve(KEY.sha256());
    }

    @Test
    void onlyTheOwnerMayReadAPayload() throws IOException {
        store().put(KEY, ByteBuffer.wrap(CONTENT));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        // Given
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        Files.createDirectories(file().getParent());
        Files.createSymbolicLink(file(), secret);

        // When
        assertThatThrownBy(() -> store().get(KEY, 100))

                // Then
                .isInstanceOf(PayloadStoreException.class);
    }

    @Test
    void nothingIsLeftOfAPutButThePayload() throws IOException {
        store().put(KEY, ByteBuffer.wrap(CONTENT));
        store().put(KEY, ByteBuffer.wrap(CONTENT));

        try (var files = Files.list(file().getParent())) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void draftsOfACrashAreRemovedOnceTheyAreOld() throws IOException {
        // Given
        Path shelf = Files.createDirectories(folder.resolve("ab"));
        Path fresh = Files.writeString(shelf.resolve(".draft-1"), "under way");
        Path old = Files.writeString(shelf.resolve(".draft-2"), "forgotten");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));

        // When
        store().each(stored -> {});

        // Then
        assertThat(fresh).exists();
        assertThat(old).doesNotExist();
    }

    @Test
    void aFolderThatIsNotThereIsNotMade() {
        Path missing = folder.resolve("mount");

        assertThatThrownBy(() -> new FolderPayloadStore(missing).put(KEY, ByteBuffer.wrap(CONTENT)))
                .hasMessageContaining(missing.toString())
                .hasMessageContaining("create it, or mount it");

        assertThat(missing).doesNotExist();
    }
}
