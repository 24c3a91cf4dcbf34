package dev.posthorn.examples.licenses;

import dev.posthorn.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** {@link WorkerMain} in a JVM of its own. */
final class WorkerProcess implements AutoCloseable {

    private final Process process;
    private final File said;

    private WorkerProcess(Process process, File said) {
        this.process = process;
        this.said = said;
    }

    static WorkerProcess start(Map<String, String> environment) throws IOException {
        File said = File.createTempFile("worker", ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkerMain.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(said);
        builder.environment().putAll(environment);
        return new WorkerProcess(builder.start(), said);
    }

    void awaitReading() {
        Await.within(
                Duration.ofMinutes(1),
                () -> "it reads " + this,
                () -> toString().contains("compliance reads pf-domain-events-compliance"));
    }

    /** With -9. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
        kill();
        Files.delete(said.toPath());
    }

    @Override
    public String toString() {
        try {
            return (process.isAlive() ? "alive" : "ended with " + process.exitValue()) + "\n"
                    + Files.readString(said.toPath());
        } catch (IOException gone) {
            return gone.toString();
        }
    }
}
