package dev.posthorn.examples.openpaw;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link OpenpawMain} in a JVM of its own. */
final class ServiceProcess implements AutoCloseable {

    private final Process process;
    private final File said;

    private ServiceProcess(Process process, File said) {
        this.process = process;
        this.said = said;
    }

    static ServiceProcess start(String database, String redis, String... arguments) throws IOException {
        File said = File.createTempFile("openpaw", ".log");
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OpenpawMain.class.getName()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(said);
        builder.environment().put("OPENPAW_DATABASE", database);
        builder.environment().put("OPENPAW_REDIS", redis);
        return new ServiceProcess(builder.start(), said);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** All it has printed. */
    String said() {
        try {
            return Files.readString(said.toPath());
        } catch (IOException gone) {
            return gone.toString();
        }
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
        return (process.isAlive() ? "alive" : "ended with " + process.exitValue()) + "\n" + said();
    }
}
