package dev.posthorn.transports.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that several processes append whole lines to.
 *
 * <p>Whoever appends holds the file's lock, so lines of two processes never mix, and a last line without a line feed is
 * one that a crash tore, not one that is still being written. The system's file lock counts for the whole process;
 * within it, a monitor keeps the threads apart. Only the write is locked, not the wait for the disk.
 *
 * <p>A file that was removed or replaced meanwhile is opened anew, since what is appended to a removed file is lost. Not
 * thread-safe.
 */
final class AppendedFile implements AutoCloseable {

    private static final Object APPENDING = new Object();

    /**
     * @param tail reads the last byte; open as long as the other, because a process that closes any channel of a file
     *     loses its lock on it
     * @param identity which file it is, whatever name it has by now; null on systems that can not tell
     */
    private record Opened(
            FileChannel end, FileChannel tail, @Nullable Object identity) {}

    private final Path path;
    private @Nullable Opened current;

    AppendedFile(Path path) {
        this.path = path;
    }

    /** Appends these bytes, which must end with a line feed. Not durable before {@link #force}. */
    void append(ByteBuffer lines) throws IOException {
        Opened file = opened();
        synchronized (APPENDING) {
            FileLock lock = file.end().lock();
            try {
                if (lastLineIsTorn(file.tail())) {
                    file.end().write(ByteBuffer.wrap(new byte[] {'\n'}));
                }
                while (lines.hasRemaining()) {
                    file.end().write(lines);
                }
            } finally {
                lock.release();
            }
        }
    }

    /** Makes durable what was appended since it was opened. */
    void force() throws IOException {
        Opened file = current;
        if (file != null) {
            file.end().force(false);
        }
    }

    /** Lets go of the file, and of an error with it; the next append opens it again. */
    @Override
    public void close() throws IOException {
        Opened file = current;
        current = null;
        if (file != null) {
            synchronized (APPENDING) { // closing drops the lock that another thread may hold
                file.tail().close();
                file.end().close();
            }
        }
    }

    private Opened opened() throws IOException {
        Opened file = current;
        if (file != null && Objects.equals(file.identity(), identityOnDisk())) {
            return file;
        }
        force();
        close();
        boolean isNew = Files.notExists(path);
        FileChannel end = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        try {
            file = new Opened(end, FileChannel.open(path, StandardOpenOption.READ), identityOnDisk());
        } catch (IOException | RuntimeException failed) {
            end.close();
            throw failed;
        }
        current = file;
        if (isNew) {
            forceDirectory();
        }
        return file;
    }

    private @Nullable Object identityOnDisk() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException removed) {
            return "removed";
        }
    }

    private static boolean lastLineIsTorn(FileChannel tail) throws IOException {
        long size = tail.size();
        ByteBuffer last = ByteBuffer.allocate(1);
        return size > 0 && tail.read(last, size - 1) == 1 && last.get(0) != '\n';
    }

    /** The name of a new file is durable only when its directory is; not every system can do that. */
    private void forceDirectory() {
        Path directory = path.toAbsolutePath().getParent();
        if (directory == null) {
            return;
        }
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        } catch (IOException notSupported) {
            // Windows does not open directories; the file's content is forced all the same.
        }
    }
}
