package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One running server: starts it, knows when it is ready, ends it. */
final class Server {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int ATTEMPTS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int POLL_MILLIS = 10;
    private static final int LOG_LINES = 20;
    private static final int STATUS_LINE = 7;

    private final Path instance;
    private final int port;
    private final Supervisor supervisor;

    private Server(Path instance, int port, Supervisor supervisor) {
        this.instance = instance;
        this.port = port;
        this.supervisor = supervisor;
    }

    /** Starts on a free port; one that someone else takes in between is replaced by another. */
    static Server start(Path instance, List<String> command) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Server server = launch(instance, command, freePort());
            if (server.becomesReady()) {
                return server;
            }
            server.giveUpUnless(attempt < ATTEMPTS && server.logSays("could not bind"));
        }
    }

    /** Starts on the data of an earlier one that has ended, with its port. */
    static Server startAgain(Path instance, List<String> command, int port) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Server server = launch(instance, command, port);
            if (server.becomesReady()) {
                return server;
            }
            // The last processes of a killed server take a moment to notice.
            server.giveUpUnless(attempt < ATTEMPTS && server.logSays("pre-existing shared memory block"));
        }
    }

    int port() {
        return port;
    }

    long pid() throws IOException {
        return Long.parseLong(Files.readString(instance.resolve("running")).strip());
    }

    void stop(StopMode mode, boolean keepFolder) throws IOException, InterruptedException {
        supervisor.stop(mode, keepFolder);
    }

    private static Server launch(Path instance, List<String> command, int port) throws IOException {
        Files.deleteIfExists(instance.resolve("log"));
        List<String> onPort = new ArrayList<>(command);
        onPort.addAll(List.of("-p", Integer.toString(port)));
        return new Server(instance, port, Supervisor.start(instance, onPort));
    }

    private boolean becomesReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (supervisor.serverRuns() && System.nanoTime() < deadline) {
            if (saysReady()) {
                return true;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return false;
    }

    /** As {@code pg_ctl} finds out. The process id tells this server's file from one that a killed server left. */
    private boolean saysReady() throws IOException {
        Path file = instance.resolve("data").resolve("postmaster.pid");
        Path running = instance.resolve("running");
        if (!Files.exists(file) || !Files.exists(running)) {
            return false;
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        return lines.size() > STATUS_LINE
                && lines.get(STATUS_LINE).strip().equals("ready")
                && lines.get(0).strip().equals(Files.readString(running).strip());
    }

    private void giveUpUnless(boolean again) throws IOException, InterruptedException {
        String log = lastOf(log());
        supervisor.stop(StopMode.IMMEDIATE, true);
        if (!again) {
            throw new EmbeddedPostgresException("The embedded Postgres server did not start. The end of its log:\n"
                    + log
                    + "\nIf it names a setting, correct it in the builder; if it names memory or disk, make room. Run as"
                    + " root, it needs setpriv (util-linux) to run as another user.");
        }
    }

    private boolean logSays(String text) throws IOException {
        return log().contains(text);
    }

    private String log() throws IOException {
        Path log = instance.resolve("log");
        return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    }

    private static String lastOf(String log) {
        List<String> lines = log.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
            return socket.getLocalPort();
        }
    }
}
