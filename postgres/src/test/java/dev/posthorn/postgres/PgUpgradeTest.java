package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresRebase.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** pg_upgrade makes another cluster with another system identifier and the same transaction ids. */
@Tag("slow")
@Timeout(120)
class PgUpgradeTest {

    private final InstalledPostgres installed = InstalledPostgres.find();
    private Path folder = Path.of("");
    private int port;

    @BeforeEach
    void aFolder() throws IOException {
        folder = Files.createTempDirectory("pg-upgrade");
        installed.own(folder);
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
    }

    @AfterEach
    void remove() throws IOException {
        if (Files.exists(folder.resolve("new/postmaster.pid"))) {
            stop("new");
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void anUpgradedClusterNeedsNoRebase() throws SQLException {
        // Given
        initialise("old");
        initialise("new");
        start("old");
        new Migrations(Schema.DEFAULT).migrate(database());
        run("SELECT posthorn.emit('shop', 'placed', '{}')");
        String identifier = run("SELECT system_identifier FROM pg_control_system()");
        stop("old");

        // When
        installed.runIn(
                folder,
                "pg_upgrade",
                "--old-bindir=" + installed.folder(),
                "--old-datadir=" + folder.resolve("old"),
                "--new-datadir=" + folder.resolve("new"),
                "--username=postgres");
        start("new");

        // Then
        assertThat(run("SELECT system_identifier FROM pg_control_system()")).isNotEqualTo(identifier);
        assertThat(run("SELECT count(*) FROM posthorn.outbox")).isEqualTo("1");
        assertThat(new PostgresRebase(database(), Schema.DEFAULT).needs()).isEqualTo(new Needs(false, false, false));
        PostgresRelayStores.open(database(), Schema.DEFAULT, "main", "r1");
    }

    private void initialise(String name) {
        installed.runIn(
                folder,
                "initdb",
                "--username=postgres",
                "--auth=trust",
                "--no-sync",
                "--pgdata=" + folder.resolve(name));
    }

    private void start(String name) {
        installed.runIn(
                folder,
                "pg_ctl",
                "--wait",
                "--pgdata=" + folder.resolve(name),
                "--log=" + folder.resolve(name + ".log"),
                "--options=-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + folder,
                "start");
    }

    private void stop(String name) {
        installed.runIn(folder, "pg_ctl", "--wait", "--mode=fast", "--pgdata=" + folder.resolve(name), "stop");
    }

    private PGSimpleDataSource database() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName("postgres");
        source.setUser("postgres");
        return source;
    }

    private String run(String sql) throws SQLException {
        try (Connection connection = database().getConnection()) {
            return TestPostgres.rows(connection, sql).get(0);
        }
    }
}
