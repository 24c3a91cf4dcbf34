package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Relay processes whose schema is newer or older than they are, as in a rolling deploy. */
@Tag("slow")
@Timeout(300)
class SchemaVersionTest {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** As the next version of the product would do: something that processes of this version know nothing of. */
    private static final String NEXT = """
            ALTER TABLE posthorn.outbox ADD COLUMN priority int;
            CREATE TABLE posthorn.tomorrow (id int);
            INSERT INTO posthorn.migration (version, name, checksum, oldest_process)
            SELECT max(version) + 1, 'tomorrow', 'x', %s FROM posthorn.migration;
            """;

    private static EmbeddedPostgres server;

    private String url = "";

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @BeforeEach
    void createDatabase() {
        url = server.createDatabase("version_" + DATABASES.incrementAndGet());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void anOlderProcessPublishesRestartsAndStaysReadyWithANewerSchema() throws Exception {
        Path config = config("");
        try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
            emit();
            relay.await("the event is published", () -> published() == 1);

            run(NEXT.formatted("1"));
            emit();

            relay.await("the next event is published", () -> published() == 2);
            relay.await(
                    "health has the note", () -> relay.health().toString().contains("newer than this version knows"));
            assertThat(relay.health().path("status").asText()).isEqualTo("ok");
            assertThat(relay.get("/v1/health/ready").statusCode()).isEqualTo(200);
            relay.await("it is in the log", () -> notes(relay) == 1);
            assertThat(relay.stop()).isZero();
        }
        try (StartedRelay restarted = new StartedRelay(config).untilStarted(1)) {
            emit();
            restarted.await("a restarted process publishes", () -> published() == 3);
            restarted.await("ready", () -> restarted.get("/v1/health/ready").statusCode() == 200);
            restarted.await(
                    "health has the note",
                    () -> restarted.health().toString().contains("newer than this version knows"));
            assertThat(notes(restarted)).isEqualTo(1);
        }
        assertThat(cli("doctor").code()).isZero();
        assertThat(cli("doctor").out()).contains("note    schema: ", "(tomorrow)", "newer than this version knows");
        assertThat(cli("status").out()).contains("(tomorrow)", "newer than this version knows");
        assertThat(cli("status", "--json").json().path("notes").toString()).contains("newer than this version knows");
        Cli validated = cli("schema", "validate");
        assertThat(validated.code()).isZero();
        assertThat(validated.out()).contains("newer than this version knows");
        assertThat(cli("schema", "migrate").code()).isZero();
    }

    @Test
    void aProcessThatANewerSchemaDoesNotSupportIsNotReadyAndRefusesToStart() throws Exception {
        Path config = config("");
        try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
            relay.await("ready", () -> relay.get("/v1/health/ready").statusCode() == 200);

            run(NEXT.formatted("max(version) + 1"));

            relay.await("not ready", () -> relay.get("/v1/health/ready").statusCode() == 503);
            assertThat(relay.health().path("findings").toString()).contains("(tomorrow)", "upgrade this process");
        }
        try (StartedRelay restarted = new StartedRelay(config)) {
            assertThat(restarted.awaitEnd()).isEqualTo(1);
            assertThat(String.join("\n", restarted.err())).contains("(tomorrow)", "upgrade this process");
        }
        assertThat(cli("doctor").code()).isEqualTo(1);
        assertThat(cli("schema", "migrate").code()).isEqualTo(1);
    }

    @Test
    void aSchemaThatIsOlderIsRefusedWithTheCommandUnlessMigratingIsAskedFor() throws Exception {
        String script = cli("schema", "print").out();
        int last = script.lastIndexOf("\n-- 00");
        run(script.substring(0, last) + "COMMIT;");
        String newest =
                script.substring(last + 4, script.indexOf('\n', last + 1)).trim();

        for (String setting : new String[] {"", "  migrate: false\n"}) {
            try (StartedRelay refused = new StartedRelay(config(setting))) {
                assertThat(refused.awaitEnd()).isEqualTo(1);
                assertThat(String.join("\n", refused.err()))
                        .contains(newest, "posthorn schema migrate --schema \"posthorn\"", "database.migrate: true");
            }
        }
        Cli options = cli("relay", "--transport", "file:" + folder.resolve("out"));
        assertThat(options.code()).isEqualTo(1);
        assertThat(options.err()).contains(newest, "posthorn schema migrate", "--migrate");

        try (StartedRelay migrating = new StartedRelay(config("  migrate: true\n")).untilStarted(1)) {
            emit();
            migrating.await("the event is published", () -> published() == 1);
        }
        assertThat(cli("schema", "validate").code()).isZero();
    }

    @Test
    void anEmptyDatabaseGetsTheSchemaUnlessThatIsSwitchedOff() throws Exception {
        try (StartedRelay refused = new StartedRelay(config("  migrate: false\n"))) {
            assertThat(refused.awaitEnd()).isEqualTo(1);
            assertThat(String.join("\n", refused.err())).contains("there is no log in it", "posthorn schema migrate");
        }
        Cli checked = cli("relay", "--no-migrate", "--transport", "file:" + folder.resolve("out"));
        assertThat(checked.code()).isEqualTo(1);
        assertThat(checked.err()).contains("there is no log in it");
        Path config = config("");
        try (StartedRelay one = new StartedRelay(config);
                StartedRelay other = new StartedRelay(config)) {
            one.untilStarted(1);
            other.untilStarted(1);
        }
        assertThat(cli("schema", "validate").code()).isZero();
    }

    private static long notes(StartedRelay relay) {
        return relay.err().stream()
                .filter(line -> line.contains("newer than this version knows"))
                .count();
    }

    private Path config(String ofDatabase) throws IOException {
        return Files.writeString(folder.resolve("posthorn.yaml"), """
                database:
                  url: '%s'
                %stransports: {out: {address: 'file:%s/out'}}
                routes: {all: {transport: out, start: beginning}}
                http: {address: '127.0.0.1:0', figures-every: 1s}
                """.formatted(url, ofDatabase, folder));
    }

    private long published() {
        try (Stream<String> lines = Files.lines(folder.resolve("out"))) {
            return lines.count();
        } catch (IOException none) {
            return 0;
        }
    }

    private Cli cli(String... args) {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--database-url";
        all[args.length + 1] = url;
        return Cli.run(all);
    }

    private void emit() throws SQLException {
        run("SELECT posthorn.emit('shop', 'order.placed', '{}'::text)");
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
