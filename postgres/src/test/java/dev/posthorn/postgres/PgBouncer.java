package dev.posthorn.postgres;

import dev.posthorn.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The machine's PgBouncer before the tests' server, in transaction mode with two server connections for each database.
 * One for all tests of this JVM, ended with it.
 */
final class PgBouncer {

    private static final List<Path> PLACES = Stream.of(
                    "/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
            .map(Path::of)
            .toList();

    private static Optional<PgBouncer> shared = Optional.empty();

    private final int port;

    private PgBouncer(int port) {
        this.port = port;
    }

    /** Started if need be. Where it is not installed the test is skipped, or fails with CI=true. */
    static synchronized PgBouncer shared() {
        if (shared.isEmpty()) {
            shared = Optional.of(start(program()));
        }
        return shared.get();
    }

    private static Path program() {
        return PLACES.stream().filter(Files::isExecutable).findFirst().orElseGet(() -> {
            String why = "PgBouncer is not installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("Nothing is tested through PgBouncer: " + why);
            return Assumptions.abort(why);
        });
    }

    private static PgBouncer start(Path program) {
        try {
            Path folder = Files.createTempDirectory("pgbouncer");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            int port = freePort();
            Files.writeString(folder.resolve("pgbouncer.ini"), settings(port));
            List<String> command = new ArrayList<>();
            if ("root".equals(System.getProperty("user.name"))) {
                command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
            }
            command.addAll(List.of(
                    program.toString(), "-q", folder.resolve("pgbouncer.ini").toString()));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, folder)));
            Await.until("PgBouncer answers", () -> answers(port));
            return new PgBouncer(port);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String settings(int port) {
        return String.join(
                "\n",
                "[databases]",
                "* = host=127.0.0.1 port=" + TestPostgres.port() + " user=postgres",
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = transaction",
                "default_pool_size = 2",
                "max_client_conn = 1000",
                "server_idle_timeout = 5",
                "ignore_startup_parameters = extra_float_digits",
                "");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static void end(Process process, Path folder) {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(folder.resolve("pgbouncer.ini"));
            Files.deleteIfExists(folder);
        } catch (InterruptedException | IOException leftBehind) {
            process.destroyForcibly();
        }
    }

    /** The same database, through it, with a driver that prepares nothing on the server. */
    PGSimpleDataSource before(TestPostgres postgres) {
        PGSimpleDataSource source = preparing(postgres);
        source.setPrepareThreshold(0);
        return source;
    }

    /** The same with the driver's own settings, which do not work here. */
    PGSimpleDataSource preparing(TestPostgres postgres) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(postgres.dataSource().getDatabaseName());
        source.setUser("postgres");
        return source;
    }
}
