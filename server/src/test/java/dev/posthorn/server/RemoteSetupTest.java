package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.console.Tokens;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator without a database password sees how a process is set up, and sets up what may be set up from afar. */
@Tag("slow")
@Timeout(300)
class RemoteSetupTest {

    private static final String ADMIN = "a-token-of-ann-the-admin";
    private static final String VIEWER = "a-token-of-vic-the-viewer";

    private static EmbeddedPostgres server;
    private static String url;
    private static Path config;
    private static Path archive;
    private static StartedRelay relay;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void aRelayWithAnArchive() throws Exception {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        url = server.createDatabase("shop");
        archive = Files.createDirectory(folder.resolve("archive"));
        assertThat(here("schema", "migrate").code()).isZero();
        for (String key : List.of("order-1", "order-2", "order-3")) {
            assertThat(here(
                                    "emit",
                                    "--domain",
                                    "orders",
                                    "--type",
                                    "placed",
                                    "--key",
                                    key,
                                    "--json-payload",
                                    "{\"a\": 1}")
                            .code())
                    .isZero();
        }
        assertThat(here("routes", "create", "main", "--start", "now").code()).isZero();
        assertThat(here("prune", "--archive", archive.toString()).out()).contains("3 events");
        config = Files.writeString(folder.resolve("posthorn.yaml"), """
                database: {url: '%s'}
                relay: {name: one}
                transports: {out: {address: 'file:%s/out'}}
                routes:
                  main: {transport: out}
                retention: {archive: '%s', inbox: 1d}
                http:
                  address: '127.0.0.1:0'
                  figures-every: 1s
                  tokens:
                    ann: {role: admin, sha256: '%s'}
                    vic: {role: viewer, sha256: '%s'}
                """.formatted(
                        url, folder, archive, Tokens.hashOf(ADMIN), Tokens.hashOf(VIEWER)));
        relay = new StartedRelay(config).untilStarted(1);
    }

    @AfterAll
    static void stop() {
        relay.close();
        server.close();
    }

    @Test
    void anArchiveIsListedVerifiedAndSearchedFromThere() {
        for (String verb : List.of("list", "verify")) {
            Cli there = as(VIEWER, "archive", verb);

            assertThat(there.code()).as(there.err()).isZero();
            assertThat(there.out())
                    .isEqualTo(Cli.run("archive", verb, "--folder", archive.toString())
                            .out())
                    .contains("1 volumes, 0 of them damaged; 3 events in the others.");
        }
        for (List<String> filter : List.of(
                List.<String>of(),
                List.of("--key", "order-2"),
                List.of("--type", "placed", "--from", "2020-01-01T00:00:00Z"),
                List.of("--domain", "nothing"))) {
            String[] show =
                    Stream.concat(Stream.of("archive", "show"), filter.stream()).toArray(String[]::new);

            assertThat(as(VIEWER, show).out())
                    .isEqualTo(Cli.run(Stream.concat(Arrays.stream(show), Stream.of("--folder", archive.toString()))
                                    .toArray(String[]::new))
                            .out());
        }
        assertThat(as(VIEWER, "archive", "show", "--key", "order-2", "--json").out())
                .contains("\"key\":\"order-2\"")
                .doesNotContain("\"a\"");
        assertThat(as(VIEWER, "archive", "list", "--folder", archive.toString()).err())
                .contains("--folder and --url are two archives");
        assertThat(Cli.run("archive", "list").err()).contains("Which archive? Give --folder PATH, or --url");
    }

    @Test
    void theConfigurationOfTheProcessIsPrintedToAdmins() {
        Cli there = as(ADMIN, "config", "print");

        assertThat(there.code()).as(there.err()).isZero();
        assertThat(there.out())
                .isEqualTo(Cli.run("config", "print", "--config", config.toString())
                        .out())
                .contains("retention.inbox = 1d   # file ");
        assertThat(as(VIEWER, "config", "print").err()).contains("may not do that");
        assertThat(Cli.run("config", "print").err()).contains("Which configuration? Give --config FILE");
    }

    @Test
    void aRouteIsCreatedFromThereOnceAndOnRecord() {
        String[] create = {"routes", "create", "audit", "--domain", "orders", "--start", "beginning"};

        assertThat(as(ADMIN, create).err()).contains("give --reason. Nothing was changed.");
        assertThat(as(VIEWER, reasoned(create)).err()).contains("may not do that");
        assertThat(as(ADMIN, reasoned(create)).out()).isEqualTo("Route audit: created.\n");
        assertThat(as(ADMIN, reasoned(create)).out()).isEqualTo("Route audit is there already.\n");
        assertThat(as(ADMIN, "routes", "create", "audit", "--reason", "x").err())
                .contains("exists with another filter");

        assertThat(text("SELECT domains::text || start FROM posthorn.route WHERE name = 'audit'"))
                .isEqualTo("{orders}beginning");
        assertThat(here("audit", "--who", "ann", "--action", "create").out())
                .contains("create audit on route audit")
                .contains("a test");
    }

    @Test
    void aRouteIsRetiredFromThere() {
        assertThat(here("routes", "create", "old").code()).isZero();

        assertThat(as(VIEWER, "routes", "retire", "old", "--reason", "x").err()).contains("may not do that");
        assertThat(as(ADMIN, "routes", "retire", "old", "--reason", "nobody reads it")
                        .out())
                .isEqualTo("Route old: retired.\n");
        assertThat(as(ADMIN, "routes", "retire", "old", "--reason", "again").out())
                .isEqualTo("Route old was retired already.\n");
        assertThat(text("SELECT (retired_at IS NOT NULL)::text FROM posthorn.route WHERE name = 'old'"))
                .isEqualTo("true");
    }

    @Test
    void aReplayIsCancelledAndResumedFromThere() throws SQLException {
        String failed = replay("FAILED");
        String running = replay("FAILED");

        Cli resumed = as(ADMIN, "replay", "resume", failed, "--reason", "mended");
        Cli cancelled = as(ADMIN, "replay", "cancel", running, "--reason", "not needed");

        assertThat(resumed.code()).as(resumed.err()).isZero();
        assertThat(cancelled.code()).as(cancelled.err()).isZero();
        assertThat(text("SELECT state FROM posthorn.replay WHERE id = '" + running + "'"))
                .isEqualTo("CANCELLED");
        assertThat(text("SELECT state FROM posthorn.replay WHERE id = '" + failed + "'"))
                .isIn("RUNNING", "DONE");
        assertThat(as(VIEWER, "replay", "cancel", running, "--reason", "x").err())
                .contains("may not do that");
        assertThat(as(ADMIN, "replay", "resume", running, "--reason", "x").code())
                .isEqualTo(1);
    }

    @Test
    void theSchemaAndTheNeedForARebaseAreToldFromThere() {
        assertThat(as(VIEWER, "schema", "validate").out())
                .isEqualTo(here("schema", "validate").out())
                .isEqualTo("The schema \"posthorn\" fits.\n");
        assertThat(as(VIEWER, "rebase", "--dry-run").out()).contains("Nothing to do: this log was not restored");
        assertThat(as(VIEWER, "schema", "validate", "--json")
                        .json()
                        .path("valid")
                        .asBoolean())
                .isTrue();
        assertThat(as(VIEWER, "schema", "validate", "--lanes", "16").err()).contains("leave it out with --url");
    }

    @Test
    void theDoctorKnowsTheConfigurationOfTheProcess() {
        assertThat(as(VIEWER, "doctor", "--json").json().path("findings").findValuesAsText("check"))
                .contains("retention")
                .containsAll(Cli.run("doctor", "--config", config.toString(), "--json")
                        .json()
                        .path("findings")
                        .findValuesAsText("check"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schema migrate",
                "schema print",
                "schema grants viewer --to x",
                "schema seed-views workflows",
                "rebase",
                "archive remove --folder f v",
                "archive stop --reason x"
            })
    void whatIsNotDoneFromAfarSaysWhyAndWhatToDo(String command) {
        Cli there = Cli.run(Stream.concat(Arrays.stream(command.split(" ", -1)), Stream.of("--url", place()))
                .toArray(String[]::new));

        assertThat(there.code()).isEqualTo(2);
        assertThat(there.err()).containsAnyOf("use --database-url", "leave --url out", "with --folder");
    }

    private static String[] reasoned(String... words) {
        return Stream.concat(Arrays.stream(words), Stream.of("--reason", "a test"))
                .toArray(String[]::new);
    }

    private static String replay(String state) throws SQLException {
        return text("INSERT INTO posthorn.replay (target_kind, target, snapshot, state, \"end\", \"of\", reason)"
                + " VALUES ('route', 'main', pg_current_snapshot(), '" + state + "', 0, 0, 'a test') RETURNING id");
    }

    private static Cli here(String... args) {
        return Cli.run(Stream.concat(Arrays.stream(args), Stream.of("--database-url", url))
                .toArray(String[]::new));
    }

    private static Cli as(String token, String... args) {
        return Cli.run(Stream.concat(Arrays.stream(args), Stream.of("--url", place(), "--token", token))
                .toArray(String[]::new));
    }

    private static String place() {
        return "http://127.0.0.1:" + relay.port();
    }

    private static String text(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
