package dev.posthorn.transports.ipc;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says who hosts a hub. The kernel gives it back when the process dies, however it dies; the file itself is never removed.
 *
 * <p>Within a process another look at the file would end the lock: closing any descriptor of a file gives up all locks the
 * process has on it. So a second try must not even open it, and {@link #HELD} knows what this process has.
 */
final class HubLock implements AutoCloseable {

    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private HubLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Empty if somebody has it. */
    static Optional<HubLock> tryTake(Path lockFile) throws IOException {
        Path folder = lockFile.toAbsolutePath().getParent();
        Path file = folder == null ? lockFile : folder.toRealPath().resolve(lockFile.getFileName());
        if (!HELD.add(file)) {
            return Optional.empty();
        }
        HubLock taken = null;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), Folder.OWNERS_FILE);
            FileLock lock = channel.tryLock();
            taken = lock == null ? null : new HubLock(file, channel);
        } finally {
            if (taken == null) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(file);
            }
        }
        return Optional.ofNullable(taken);
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD.remove(file);
        }
    }
}
