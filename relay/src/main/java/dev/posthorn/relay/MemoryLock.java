package dev.posthorn.relay;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock around the relay's memory.
 *
 * <p>Any code that throws under the lock, such as an {@link OutOfMemoryError} between two changes that belong together, may
 * leave the memory half changed. The memory is then thrown away before anyone uses it again: at once, or if that fails too,
 * by the next holder of the lock. Thread-safe.
 */
final class MemoryLock {

    private final ReentrantLock lock = new ReentrantLock();
    private final Consumer<Throwable> recovery;
    private @Nullable Throwable thrown;

    /**
     * With this way of throwing the memory away, which may fail and is tried again then.
     */
    MemoryLock(Consumer<Throwable> recovery) {
        this.recovery = recovery;
    }

    <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            recover();
            return work.get();
        } catch (Throwable any) {
            thrown = any;
            recoverNowOrLater();
            throw any;
        } finally {
            lock.unlock();
        }
    }

    private void recover() {
        Throwable cause = thrown;
        if (cause != null) {
            recovery.accept(cause);
            thrown = null;
        }
    }

    private void recoverNowOrLater() {
        try {
            recover();
        } catch (Throwable later) {
            // The next holder of the lock tries again before it does anything else.
        }
    }
}
