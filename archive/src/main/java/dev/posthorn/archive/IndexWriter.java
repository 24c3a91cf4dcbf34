package dev.posthorn.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Adds lines to an {@link Index}, one writer at a time. Not thread-safe; to be closed by the thread that opened it.
 *
 * <p>Between machines a file system may know no locks. There the turn that the database gives keeps writers apart.
 */
final class IndexWriter implements AutoCloseable {

    /** A lock on a file is the process's, so that two threads of one would not exclude each other. */
    private static final ReentrantLock IN_THIS_PROCESS = new ReentrantLock();

    /** Not the index itself: a lock on a file ends when anybody in the process has read it. */
    private static final String LOCK = ".index.lock";

    private final FileChannel lock;
    private final FileChannel file;
    private Index index;

    private IndexWriter(FileChannel lock, FileChannel file, Index index) {
        this.lock = lock;
        this.file = file;
        this.index = index;
    }

    /** Waits for its turn, and removes what a crash left of a line. */
    static IndexWriter open(Path folder) throws IOException {
        IN_THIS_PROCESS.lock();
        try {
            FileChannel lock = locked(folder.resolve(LOCK));
            try {
                return open(folder, lock);
            } catch (IOException | RuntimeException failed) {
                lock.close();
                throw failed;
            }
        } catch (IOException | RuntimeException failed) {
            IN_THIS_PROCESS.unlock();
            throw failed;
        }
    }

    private static IndexWriter open(Path folder, FileChannel lock) throws IOException {
        Index index = Index.read(folder);
        FileChannel file =
                FileChannel.open(folder.resolve(Index.FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            file.truncate(index.length());
            file.position(index.length());
            return new IndexWriter(lock, file, index);
        } catch (IOException | RuntimeException failed) {
            file.close();
            throw failed;
        }
    }

    private static FileChannel locked(Path place) throws IOException {
        FileChannel opened = FileChannel.open(place, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            opened.lock(); // until the channel is closed
        } catch (IOException unknownThere) {
            // See above.
        }
        return opened;
    }

    Index index() {
        return index;
    }

    /** Returns once it is durable. */
    void add(String volume, String seal) throws IOException {
        Index more = index.with(volume, seal);
        ByteBuffer rest = ByteBuffer.wrap(more.newest().orElseThrow().text().getBytes(StandardCharsets.ISO_8859_1));
        while (rest.hasRemaining()) {
            file.write(rest);
        }
        file.force(true);
        index = more;
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            try {
                lock.close();
            } finally {
                IN_THIS_PROCESS.unlock();
            }
        }
    }
}
