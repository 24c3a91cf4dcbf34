package dev.posthorn.embeddedbrokers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Whether a process that was told to stand still does: the signal stops one thread after the other, and on a busy machine some of
 * them work for a while longer.
 */
final class Stillness {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String STILL = "TtZX";

    private Stillness() {}

    /** Waits until all its threads, and those of its children, stand still; where the kernel does not tell, not at all. */
    static void await(ProcessHandle process) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isReached(process) && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static boolean isReached(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants()).allMatch(one -> isStill(one.pid()));
    }

    private static boolean isStill(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.allMatch(Stillness::isStill);
        } catch (IOException notThere) {
            return true;
        }
    }

    /** The state is the letter behind the name, which stands in brackets and may have some of its own. */
    private static boolean isStill(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return STILL.indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException ended) {
            return true;
        }
    }
}
