package dev.posthorn.embeddedpostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class EmbeddedPostgresTest {

    @Test
    void answersQueriesAfterTheStart() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().unsafeFast().start()) {
            assertThat(query(postgres.jdbcUrl(), "SELECT 6 * 7")).isEqualTo("42");
            assertThat(query(postgres.jdbcUrl(), "SHOW server_encoding")).isEqualTo("UTF8");
        }
    }

    @Test
    void isDurableByDefaultAndFastOnlyWhenAsked() throws SQLException {
        try (EmbeddedPostgres honest = EmbeddedPostgres.start();
                EmbeddedPostgres fast = EmbeddedPostgres.builder().unsafeFast().start()) {
            assertThat(query(honest.jdbcUrl(), "SHOW fsync")).isEqualTo("on");
            assertThat(query(honest.jdbcUrl(), "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(query(fast.jdbcUrl(), "SHOW fsync")).isEqualTo("off");
        }
    }

    @Test
    void takesSettings() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .unsafeFast()
                .setting("max_prepared_transactions", "10")
                .start()) {
            assertThat(query(postgres.jdbcUrl(), "SHOW max_prepared_transactions"))
                    .isEqualTo("10");
        }
    }

    @Test
    void createsDatabasesOfAnyName() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().unsafeFast().start()) {
            String url = postgres.createDatabase("or\"ders & co");
            assertThat(query(url, "SELECT current_database()")).isEqualTo("or\"ders & co");
        }
    }

    @Test
    void twoAtOnceHaveDifferentPortsAndData() {
        try (EmbeddedPostgres one = EmbeddedPostgres.builder().unsafeFast().start();
                EmbeddedPostgres other = EmbeddedPostgres.builder().unsafeFast().start()) {
            assertThat(one.port()).isNotEqualTo(other.port());
            assertThat(one.dataDirectory()).isNotEqualTo(other.dataDirectory());
        }
    }

    @Test
    void keepsItsDataPrivate() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().unsafeFast().start()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(postgres.dataDirectory())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void isGoneAfterCloseWithItsFolder() {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder().unsafeFast().start();

        postgres.close();

        assertThat(runs(postgres.pid())).isFalse();
        assertThat(postgres.dataDirectory().getParent()).doesNotExist();
        postgres.close();
    }

    @Test
    void hasCommittedDataAfterARestartThatResemblesACrash() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            execute(postgres.jdbcUrl(), "CREATE TABLE kept AS SELECT 'yes' AS answer");
            long before = postgres.pid();

            postgres.restart(StopMode.IMMEDIATE);

            assertThat(postgres.pid()).isNotEqualTo(before);
            assertThat(query(postgres.jdbcUrl(), "SELECT answer FROM kept")).isEqualTo("yes");
        }
    }

    @Test
    void comesBackAfterItsProcessWasKilled() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            execute(postgres.jdbcUrl(), "CREATE TABLE kept AS SELECT 'yes' AS answer");
            ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();

            postgres.restart(StopMode.FAST);

            assertThat(query(postgres.jdbcUrl(), "SELECT answer FROM kept")).isEqualTo("yes");
        }
    }

    @Test
    void standsStillWhileItIsFrozenAndGoesOnAfterIt() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            postgres.freeze();
            assertThatThrownBy(() -> query(postgres.jdbcUrl() + "&socketTimeout=1", "SELECT 1"))
                    .isInstanceOf(SQLException.class);

            postgres.thaw();

            assertThat(query(postgres.jdbcUrl(), "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void saysWhyItDidNotStartAndLeavesNothing() {
        EmbeddedPostgresBuilder faulty = EmbeddedPostgres.builder().setting("max_connections", "many");

        assertThatThrownBy(faulty::start)
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("max_connections")
                .hasMessageContaining("correct it in the builder");

        assertThat(foldersOfThisProcess()).isEmpty();
    }

    @Test
    void leavesNothingWhenTheStartIsInterrupted() throws Exception {
        Thread.currentThread().interrupt();

        assertThatThrownBy(EmbeddedPostgres::start).hasMessageContaining("Interrupted");

        assertThat(Thread.interrupted()).isTrue();
        await(() -> foldersOfThisProcess().isEmpty());
    }

    @Test
    void runsTheServersInstalledOnTheMachine() throws SQLException {
        List<Path> installed = EmbeddedPostgres.installed();
        if (installed.isEmpty()) {
            skip("no Postgres server is installed on this machine");
        }
        for (Path binaries : installed) {
            try (EmbeddedPostgres postgres =
                    EmbeddedPostgres.builder().binaries(binaries).unsafeFast().start()) {
                assertThat(query(postgres.jdbcUrl(), "SELECT 6 * 7")).isEqualTo("42");
            }
        }
    }

    @Test
    void aStandbyFollowsItsPrimaryAndTakesOverWhenThatIsKilled() throws SQLException, InterruptedException {
        List<Path> installed = EmbeddedPostgres.installed();
        if (installed.isEmpty()) {
            skip("no Postgres server is installed on this machine");
        }
        Path binaries = installed.get(0);
        try (EmbeddedPostgres primary =
                        EmbeddedPostgres.builder().binaries(binaries).start();
                EmbeddedPostgres standby = EmbeddedPostgres.builder()
                        .binaries(binaries)
                        .standbyOf(primary)
                        .start()) {
            execute(primary.jdbcUrl(), "CREATE TABLE t AS SELECT 42 AS n");
            await(() -> hasTable(standby));
            assertThat(query(standby.jdbcUrl(), "SELECT pg_is_in_recovery()")).isEqualTo("t");
            assertThatThrownBy(() -> execute(standby.jdbcUrl(), "DROP TABLE t")).hasMessageContaining("read-only");

            primary.kill();
            standby.promote();

            assertThatThrownBy(() -> query(primary.jdbcUrl(), "SELECT 1")).isInstanceOf(SQLException.class);
            execute(standby.jdbcUrl(), "INSERT INTO t VALUES (43)");
            assertThat(query(standby.jdbcUrl(), "SELECT sum(n) FROM t")).isEqualTo("85");
        }
        assertThat(foldersOfThisProcess()).isEmpty();
    }

    @Test
    void namesAFolderWithoutAServer(@TempDir Path empty) {
        EmbeddedPostgresBuilder builder = EmbeddedPostgres.builder().binaries(empty);

        assertThatThrownBy(builder::start).hasMessageContaining(empty.toString());
    }

    @Test
    void endsWhenTheProcessThatStartedItIsKilled() throws Exception {
        try (ChildJvm child = ChildJvm.start()) {
            assertThat(runs(child.serverPid())).isTrue();

            child.kill();

            await(() -> !runs(child.serverPid()) && !Files.exists(instanceOf(child)));
        }
    }

    @Test
    void endsWhenTheProcessThatStartedItIsTerminated() throws Exception {
        try (ChildJvm child = ChildJvm.start()) {
            child.terminate();

            await(() -> !runs(child.serverPid()) && !Files.exists(instanceOf(child)));
        }
    }

    @Test
    void isNotInTheSessionOfTheProcessThatStartedIt() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().unsafeFast().start()) {
            assertThat(sessionOf(postgres.pid()))
                    .isNotEqualTo(sessionOf(ProcessHandle.current().pid()));
        }
    }

    @Test
    void worksForAUserWithoutPrivileges(@TempDir Path folder) throws Exception {
        if (!Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid"))) {
            skip("the other tests run without privileges already");
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        String classPath = readableCopyOfTheClassPath(folder.resolve("classpath"));
        List<String> asNobody = List.of(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "XDG_CACHE_HOME=" + folder);

        try (ChildJvm child = ChildJvm.start(asNobody, classPath, List.of("-Djava.io.tmpdir=" + folder))) {
            assertThat(child.dataDirectory()).startsWith(folder);
            assertThat(folder.resolve("posthorn")).isNotEmptyDirectory();

            child.kill();

            await(() -> !runs(child.serverPid()) && !Files.exists(instanceOf(child)));
        }
    }

    private static String readableCopyOfTheClassPath(Path target) throws IOException, InterruptedException {
        Files.createDirectory(target);
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path copy = target.resolve(copies.size() + "-" + Path.of(entry).getFileName());
            if (!entry.isEmpty() && Files.exists(Path.of(entry))) {
                Command.run(List.of("cp", "-r", entry, copy.toString()), target);
                copies.add(copy.toString());
            }
        }
        Command.run(List.of("chmod", "-R", "a+rX", target.toString()), target);
        return String.join(File.pathSeparator, copies);
    }

    private static String query(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    private static boolean hasTable(EmbeddedPostgres postgres) {
        try {
            return query(postgres.jdbcUrl(), "SELECT to_regclass('t') IS NOT NULL")
                    .equals("t");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static boolean runs(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static Path instanceOf(ChildJvm child) {
        return Objects.requireNonNull(child.dataDirectory().getParent());
    }

    /** The sixth field of {@code /proc/<pid>/stat}; the second one is a name in brackets. */
    private static String sessionOf(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
    }

    private static List<Path> foldersOfThisProcess() {
        String prefix = "posthorn-postgres-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                fail("not within 20 seconds");
            }
            Thread.sleep(20);
        }
    }

    private static void skip(String reason) {
        if ("true".equals(System.getenv("CI"))) {
            fail("CI must run this test, but " + reason);
        }
        System.out.println("Skipped: " + reason);
        abort(reason);
    }
}
