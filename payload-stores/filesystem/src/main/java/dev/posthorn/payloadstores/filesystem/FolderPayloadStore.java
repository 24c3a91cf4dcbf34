package dev.posthorn.payloadstores.filesystem;

import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.claimcheck.PayloadStoreException;
import dev.posthorn.claimcheck.StoredPayload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Payloads as files in a folder, which may be a mounted one that producers and consumers share.
 *
 * <p>A file is called by its key, in a folder called by the key's first two digits. It is written under a hidden name, forced
 * to disk and renamed, so that it appears as a whole. Only the user of this process may read it, where the file system knows
 * users.
 *
 * <p>The folder must be there: one that is made because a mount is missing would take the payloads to the wrong disk.
 * Thread-safe; several processes may share a folder.
 */
public final class FolderPayloadStore implements PayloadStore {

    private static final String DRAFT = ".draft-";
    private static final int SHELF_DIGITS = 2;
    private static final Duration FORGOTTEN = Duration.ofDays(1);

    private final Path folder;
    private final boolean knowsUsers;

    public FolderPayloadStore(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
        this.knowsUsers = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    @Override
    public void put(PayloadKey key, ByteBuffer content) {
        try {
            requireFolder();
            Path shelf = shelfOf(key);
            makeShelf(shelf);
            Path draft = shelf.resolve(DRAFT + UUID.randomUUID());
            try {
                write(draft, content.duplicate());
                Files.move(draft, shelf.resolve(key.sha256()), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(draft);
            }
            force(shelf);
        } catch (IOException failed) {
            throw trouble("written", failed);
        }
    }

    private void makeShelf(Path shelf) throws IOException {
        if (!Files.isDirectory(shelf, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(shelf, only("rwx------"));
            } catch (FileAlreadyExistsException byAnother) {
                // As it should be.
            }
            force(folder);
        }
    }

    private void write(Path draft, ByteBuffer content) throws IOException {
        try (FileChannel file = FileChannel.open(
                draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), only("rw-------"))) {
            while (content.hasRemaining()) {
                file.write(content);
            }
            file.force(true);
        }
    }

    @Override
    public Optional<byte[]> get(PayloadKey key, long atMost) {
        try {
            requireFolder();
            try (InputStream file = Files.newInputStream(placeOf(key), LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(file.readNBytes(Math.toIntExact(atMost + 1)));
            }
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException failed) {
            throw trouble("read", failed);
        }
    }

    @Override
    public void each(Consumer<StoredPayload> visitor) {
        try {
            requireFolder();
            try (DirectoryStream<Path> shelves = Files.newDirectoryStream(folder, "[0-9a-f][0-9a-f]")) {
                for (Path shelf : shelves) {
                    show(shelf, visitor);
                }
            }
        } catch (IOException failed) {
            throw trouble("read", failed);
        }
    }

    private void show(Path shelf, Consumer<StoredPayload> visitor) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(shelf)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                Optional<PayloadKey> key =
                        PayloadKey.parse(name).filter(found -> placeOf(found).equals(file));
                Optional<BasicFileAttributes> found = attributes(file);
                if (key.isPresent() && found.isPresent()) {
                    visitor.accept(new StoredPayload(
                            key.get(),
                            found.get().size(),
                            found.get().lastModifiedTime().toInstant()));
                } else if (name.startsWith(DRAFT) && found.isPresent()) {
                    removeForgotten(file, found.get());
                }
            }
        }
    }

    /** Left by a crash. One that is being written is not as old as that. */
    private static void removeForgotten(Path draft, BasicFileAttributes found) throws IOException {
        if (found.lastModifiedTime().toInstant().isBefore(Instant.now().minus(FORGOTTEN))) {
            Files.deleteIfExists(draft);
        }
    }

    @Override
    public boolean remove(PayloadKey key, Instant writtenBefore) {
        try {
            requireFolder();
            Path place = placeOf(key);
            Optional<BasicFileAttributes> found = attributes(place);
            if (found.isPresent() && !found.get().lastModifiedTime().toInstant().isBefore(writtenBefore)) {
                return false;
            }
            Files.deleteIfExists(place);
            return true;
        } catch (IOException failed) {
            throw trouble("written", failed);
        }
    }

    private static Optional<BasicFileAttributes> attributes(Path file) throws IOException {
        try {
            return Optional.of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    private Path shelfOf(PayloadKey key) {
        return folder.resolve(key.sha256().substring(0, SHELF_DIGITS));
    }

    private Path placeOf(PayloadKey key) {
        return shelfOf(key).resolve(key.sha256());
    }

    private FileAttribute<?>[] only(String rights) {
        return knowsUsers
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))}
                : new FileAttribute<?>[0];
    }

    /** Makes the names in a folder durable. */
    private static void force(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private void requireFolder() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException("there is no such folder; create it, or mount it");
        }
    }

    private PayloadStoreException trouble(String what, IOException failed) {
        String reason = failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
        return new PayloadStoreException(
                "The payloads in " + folder + " can not be " + what + ": " + reason + ".", failed);
    }

    /** Files are not kept open. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return "the folder " + folder;
    }
}
