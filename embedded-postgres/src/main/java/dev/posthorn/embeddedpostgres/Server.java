package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** One running server: starts it, knows when it is ready, ends it. */
final class Server {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int ATTEMPTS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int POLL_MILLIS = 10;
    private static final int LOG_LINES = 20;
    private static final int STATUS_LINE = 7;
    private static final int FIRST_PORT = 15_000;
    private static final int LAST_PORT = 32_000;
    private static final int PORT_TRIES = 1_000;

    private final Launch launch;
    private final int port;
    private final Supervisor supervisor;

    private Server(Launch launch, int port, Supervisor supervisor) {
        this.launch = launch;
        this.port = port;
        this.supervisor = supervisor;
    }

    /** Starts on a free port; one that someone else takes in between is replaced by another. */
    static Server start(Launch launch) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Server server = on(freePort(), launch);
            if (server.becomesReady()) {
                return server;
            }
            server.giveUpUnless(attempt < ATTEMPTS && server.logSays("could not bind"));
        }
    }

    /** Starts on the data of an earlier one that has ended, with its port. */
    static Server startAgain(Launch launch, int port) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Server server = on(port, launch);
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
        return Long.parseLong(Files.readString(launch.pid()).strip());
    }

    void stop(StopMode mode, boolean keepFolder) throws IOException, InterruptedException {
        supervisor.stop(mode, keepFolder);
    }

    private static Server on(int port, Launch launch) throws IOException {
        return new Server(launch, port, launch.onPort(port));
    }

    private boolean becomesReady() throws IOException, InterruptedException {
        try {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (supervisor.serverRuns() && System.nanoTime() < deadline) {
                if (saysReady()) {
                    return true;
                }
                Thread.sleep(POLL_MILLIS);
            }
            return false;
        } catch (IOException | InterruptedException e) {
            supervisor.abandon();
            throw e;
        }
    }

    /** As {@code pg_ctl} finds out. The process id tells this server's file from one that a killed server left. */
    private boolean saysReady() throws IOException {
        try {
            String pid = Files.readString(launch.pid()).strip();
            List<String> lines = Files.readAllLines(launch.data().resolve("postmaster.pid"), StandardCharsets.UTF_8);
            return lines.size() > STATUS_LINE
                    && lines.get(STATUS_LINE).strip().equals("ready")
                    && lines.get(0).strip().equals(pid);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void giveUpUnless(boolean again) throws IOException, InterruptedException {
        String log = lastOf(log());
        supervisor.stop(StopMode.IMMEDIATE, again);
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
        Path log = launch.log();
        return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    }

    private static String lastOf(String log) {
        List<String> lines = log.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    /**
     * Not one of the ports that systems give to outgoing connections: it must still be free when the server is started again.
     */
    private static int freePort() throws IOException {
        for (int tries = 0; tries < PORT_TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByAddress(LOOPBACK))) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // then another one
            }
        }
        throw new IOException("No port between " + FIRST_PORT + " and " + LAST_PORT + " is free.");
    }
}
