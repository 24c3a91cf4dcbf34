package dev.posthorn.benchmarks;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A relay in a process of its own, as this process sees it.
 *
 * <p>It ends with {@link #close}, and also when this process ends in any other way: it watches its standard input.
 */
final class RelayChild implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 20;

    private final Process process;
    private final OutputStream input;
    private final Thread reader;
    private volatile Arrivals arrivals = (sequence, at) -> {};

    private RelayChild(Process process) {
        this.process = process;
        this.input = process.getOutputStream();
        this.reader = new Thread(this::read, "bench-child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts one.
     *
     * @param options further connection options, as in {@code -c name=value}
     */
    static RelayChild start(BenchContext context, BenchRoute route, String name, String options) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                RelayProcess.class.getName());
        // Not as arguments, which every user of the machine can read: the URL may have a password.
        List<String> told =
                List.of(context.pool().getJdbcUrl(), context.schema().name(), route.name(), name, options);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            RelayChild child = new RelayChild(process);
            child.input.write((String.join("\n", told) + "\n").getBytes(StandardCharsets.UTF_8));
            child.input.flush();
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("A relay process can not be started", e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** From now on publishes are told there. */
    void tell(Arrivals to) {
        arrivals = to;
    }

    /** Lets the relay look at the log at once. */
    void wakeUp() {
        try {
            input.write('\n');
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The relay process " + process.pid() + " has ended", e);
        }
    }

    private void read() {
        try (DataInputStream reports = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
            while (true) {
                long sequence = reports.readLong();
                long at = reports.readLong();
                arrivals.published(sequence, at);
            }
        } catch (EOFException ended) {
            // as it does when it is told to
        } catch (IOException e) {
            throw new UncheckedIOException("The reports of relay process " + process.pid() + " broke off", e);
        }
    }

    @Override
    public void close() {
        try {
            input.close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            reader.join();
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
