package dev.posthorn.examples.transfers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** {@link GatewayMain} in a JVM of its own. */
final class GatewayProcess implements AutoCloseable {

    private final Process process;
    private final File said;

    private GatewayProcess(Process process, File said) {
        this.process = process;
        this.said = said;
    }

    static GatewayProcess start(Map<String, String> environment) throws IOException {
        File said = File.createTempFile("gateway", ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GatewayMain.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(said);
        builder.environment().putAll(environment);
        return new GatewayProcess(builder.start(), said);
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
