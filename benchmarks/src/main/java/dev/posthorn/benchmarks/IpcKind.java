package dev.posthorn.benchmarks;

import dev.posthorn.transport.Bus;
import dev.posthorn.transports.ipc.IpcConfig;
import dev.posthorn.transports.ipc.IpcTransport;
import dev.posthorn.transports.ipc.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Unix domain sockets; the hub is a process of its own. */
final class IpcKind implements BrokerKind {

    @Override
    public String name() {
        return "ipc";
    }

    @Override
    public double promised() {
        return 0;
    }

    @Override
    public RunningBroker start() {
        try {
            return new Hubs();
        } catch (IOException e) {
            throw new UncheckedIOException("The process for the hubs can not be started", e);
        }
    }

    /** A folder and a hub for each prefix. */
    private static final class Hubs implements RunningBroker {

        private static final long PATIENCE_SECONDS = 20;

        private final Path root = Files.createTempDirectory("ipc");
        private final Set<String> hosted = new HashSet<>();
        private final Process process;
        private final Writer input;
        private final BufferedReader output;

        Hubs() throws IOException {
            process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                            "-cp",
                            System.getProperty("java.class.path"),
                            IpcHubProcess.class.getName()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            input = process.outputWriter(StandardCharsets.UTF_8);
            output = process.inputReader(StandardCharsets.UTF_8);
        }

        private Path folder(String prefix) {
            return root.resolve(prefix);
        }

        private void toggle(String prefix) {
            try {
                input.write(folder(prefix) + "\n");
                input.flush();
                if (output.readLine() == null) {
                    throw new IllegalStateException("The process of the hubs has ended.");
                }
            } catch (IOException e) {
                throw new UncheckedIOException("The process of the hubs has ended", e);
            }
        }

        @Override
        public Bus open(String prefix) {
            if (hosted.add(prefix)) {
                toggle(prefix);
            }
            return new IpcTransport(
                    IpcConfig.in(folder(prefix)).shape(Shape.HUB).limits(IpcHubProcess.LIMITS));
        }

        @Override
        public PlainClient client(String prefix) {
            return new IpcSocketClient(folder(prefix).resolve("hub.sock"));
        }

        @Override
        public void clear(String prefix) {
            if (hosted.remove(prefix)) {
                toggle(prefix);
            }
        }

        @Override
        public void close() {
            try {
                input.close();
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
                try (Stream<Path> all = Files.walk(root)) {
                    for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(path);
                    }
                }
            } catch (IOException e) {
                process.destroyForcibly();
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
