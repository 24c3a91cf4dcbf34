package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay that is started before its database. */
@Tag("slow")
@Timeout(120)
class AbsentDatabaseTest {

    private final int port = freePort();
    private final Process relay = start();

    @AfterEach
    void stop() {
        relay.destroyForcibly();
    }

    @Test
    void itWaitsAndStartsWhenTheDatabaseIsThere() throws IOException, InterruptedException {
        try (BufferedReader said = relay.errorReader(StandardCharsets.UTF_8);
                BufferedReader out = relay.inputReader(StandardCharsets.UTF_8);
                EmbeddedPostgres server =
                        EmbeddedPostgres.builder().unsafeFast().start()) {
            assertThat(said.readLine())
                    .startsWith("posthorn: No connection to the database postgres at 127.0.0.1:" + port)
                    .endsWith("Trying again in 1s.");
            assertThat(said.readLine()).endsWith("Trying again in 2s.");

            try (ServerSocket door = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
                daemon(() -> forward(door, server.port()));

                assertThat(out.readLine()).contains("\"event\":\"started\"");
                relay.destroy();
                assertThat(relay.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(relay.exitValue()).isZero();
            }
        }
    }

    @Test
    void aSignalEndsTheWaitInOrder() throws IOException, InterruptedException {
        try (BufferedReader said = relay.errorReader(StandardCharsets.UTF_8)) {
            said.readLine();
            assertThat(said.readLine()).endsWith("Trying again in 2s.");

            relay.destroy();

            assertThat(relay.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(relay.exitValue()).isZero();
        }
    }

    private Process start() {
        try {
            return new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "relay",
                            "--transport=memory",
                            "--json",
                            "--database-url=jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres")
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void forward(ServerSocket door, int to) {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
                daemon(() -> copy(client, server));
                daemon(() -> copy(server, client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // One of them has gone, so both do.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "forward");
        thread.setDaemon(true);
        thread.start();
    }
}
