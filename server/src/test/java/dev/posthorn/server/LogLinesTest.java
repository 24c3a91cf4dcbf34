package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What runs again and again logs its failures through {@code FailureLog}, and no stack trace above debug. The console answers
 * requests, so a trace of something unexpected is one for each request that met it.
 */
class LogLinesTest {

    private static final List<String> APART = List.of("console", "demo", "examples", "benchmarks");
    private static final Pattern TRACE = Pattern.compile(
            "(?i)\\blog\\.(warn|error)\\([^;]*,\\s*(Failure\\.loggable\\(\\w+\\)|\\w+\\.getCause\\(\\)|failed|failure|thrown"
                    + "|unexpected|broken|late|away|cause|e)\\);");

    @Test
    void noStackTraceIsLoggedAboveDebug() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/java/"))
                    .filter(file -> APART.stream().noneMatch(module -> file.startsWith("../" + module)))
                    .toList();

            assertThat(sources).hasSizeGreaterThan(500);
            assertThat(sources)
                    .allSatisfy(file -> assertThat(TRACE.matcher(read(file)).results())
                            .as(file.toString())
                            .isEmpty());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
