package dev.posthorn.embeddedbrokers;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A server as a process group of its own, in a folder of its own, that ends with this process however that ends.
 *
 * <p>Needs Linux with {@code setsid}, {@code sh} and {@code kill}. A small shell process waits for the end of a pipe from
 * here, which comes with the end of this process, be it {@code kill -9}, and kills the group. It ignores the signals that a
 * terminal sends to this process and its children together. Not thread-safe.
 */
final class BrokerProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long POLL_MILLIS = 20;
    private static final int LOG_LINES = 25;
    private static final int FIRST_PORT = 15_000;
    private static final int LAST_PORT = 32_000;
    private static final int PORT_TRIES = 1_000;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final String name;
    private final Path log;
    private final Process process;
    private final Process watchdog;

    private BrokerProcess(String name, Path log, Process process, Process watchdog) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.watchdog = watchdog;
    }

    /** Starts the command in this folder, with these variables besides the inherited ones; output goes to {@code NAME.log}. */
    static BrokerProcess start(String name, Path folder, List<String> command, Map<String, String> environment) {
        try {
            Path log = folder.resolve(name + ".log");
            List<String> inGroup = new ArrayList<>(List.of("setsid"));
            inGroup.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(inGroup)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            Process watchdog = new ProcessBuilder(
                            "sh",
                            "-c",
                            "trap '' INT TERM HUP; cat >/dev/null; kill -9 -" + process.pid() + " 2>/dev/null")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new BrokerProcess(name, log, process, watchdog);
        } catch (IOException e) {
            throw new PosthornException("Cannot start " + name + " (" + command.get(0) + "): " + e.getMessage(), e);
        }
    }

    /** Waits until it answers; fails with the end of its log if it ends or takes too long. */
    void awaitReady(BooleanSupplier answers) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!answers.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                kill();
                throw new PosthornException(name + " did not start. The end of its log:\n" + endOfLog());
            }
            pause();
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end, and makes it end if it does not within ten seconds. */
    void stop() {
        signal("TERM");
        awaitEnd(Duration.ofSeconds(10));
        kill();
    }

    /** Ends it at once, with all its children. */
    void kill() {
        signal("KILL");
        awaitEnd(Duration.ofSeconds(10));
        try {
            watchdog.getOutputStream().close();
        } catch (IOException alreadyGone) {
            watchdog.destroyForcibly();
        }
    }

    /** Stands still without closing a connection. */
    void freeze() {
        signal("STOP");
        Stillness.await(process.toHandle());
    }

    void thaw() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            Process kill =
                    new ProcessBuilder("sh", "-c", "kill -" + signal + " -" + process.pid() + " 2>/dev/null").start();
            kill.waitFor();
        } catch (IOException e) {
            throw new PosthornException("Cannot signal " + name + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnd(Duration longest) {
        try {
            boolean ended = process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private String endOfLog() {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PosthornException("Interrupted while waiting for a broker", e);
        }
    }

    /**
     * A port of the loopback address that is free right now, and not one of those that systems give to outgoing connections: it
     * must still be free when a server that was killed starts again.
     */
    static int freePort() {
        for (int tries = 0; tries < PORT_TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByAddress(LOOPBACK))) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // then another one
            }
        }
        throw new PosthornException("No free port between " + FIRST_PORT + " and " + LAST_PORT + " was found.");
    }

    static Path newFolder(String name) {
        try {
            return Files.createTempDirectory("posthorn-" + name + "-");
        } catch (IOException e) {
            throw new PosthornException("Cannot make a folder for " + name + ": " + e.getMessage(), e);
        }
    }

    /** Removes the folder with all in it; what can not be removed stays. */
    static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            folder.toFile().deleteOnExit();
        }
    }
}
