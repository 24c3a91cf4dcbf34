package dev.posthorn.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A main class of this class path in a JVM of its own; what it prints is kept while a test may want to show it. */
public final class LoggedJvm implements AutoCloseable {

    private final Process process;
    private final File said;

    private LoggedJvm(Process process, File said) {
        this.process = process;
        this.said = said;
    }

    /** With these variables on top of the test's own. */
    public static LoggedJvm start(Class<?> main, Map<String, String> environment, String... arguments)
            throws IOException {
        File said = File.createTempFile(main.getSimpleName(), ".log");
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(said);
        builder.environment().putAll(environment);
        return new LoggedJvm(builder.start(), said);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** All it has printed. */
    public String said() {
        try {
            return Files.readString(said.toPath());
        } catch (IOException gone) {
            return gone.toString();
        }
    }

    /** With -9. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
        kill();
        Files.delete(said.toPath());
    }

    @Override
    public String toString() {
        return (process.isAlive() ? "alive" : "ended with " + process.exitValue()) + "\n" + said();
    }
}
