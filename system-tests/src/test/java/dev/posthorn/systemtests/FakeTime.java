package dev.posthorn.systemtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A wall clock of a process' own, by libfaketime. The monotonic clock stays right, as on a host whose clock is set. */
final class FakeTime {

    private final Path offset;

    /** @param offset the file that the process reads its offset from, again and again */
    FakeTime(Path offset, String first) {
        this.offset = offset;
        set(first);
    }

    /** Moves the clock: {@code +1h} is an hour fast. */
    void set(String difference) {
        try {
            Path draft = offset.resolveSibling(offset.getFileName() + ".new");
            Files.writeString(draft, difference + "\n");
            Files.move(draft, offset, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<String, String> environment() {
        // Without the last one, waiting with a time-out in Java ends at once.
        return Map.of(
                "LD_PRELOAD", library().toString(),
                "FAKETIME_TIMESTAMP_FILE", offset.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Where it is not installed the test is skipped, or fails with CI=true. */
    private static Path library() {
        try (Stream<Path> folders = Files.list(Path.of("/usr/lib"))) {
            return folders.map(folder -> folder.resolve("faketime").resolve("libfaketimeMT.so.1"))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseGet(() -> {
                        String why = "libfaketime is not installed on this machine";
                        if ("true".equals(System.getenv("CI"))) {
                            Assertions.fail("CI must run this test, but " + why);
                        }
                        System.out.println("No relay is tested with a wrong clock: " + why);
                        return Assumptions.abort(why);
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
