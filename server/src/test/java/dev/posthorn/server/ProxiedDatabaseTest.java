package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DatabaseUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Proxies in front of Postgres that refuse start-up parameters. */
@Timeout(120)
class ProxiedDatabaseTest {

    private static final String EVERY_PARAMETER = "&currentSchema=shop&assumeMinServerVersion=12";

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest(name = "{0} is refused with \"{1}\"")
    @CsvSource({
        "options, 0A000",
        "options, 08P01",
        "options, 42704",
        "options, 28000",
        "options, XX000",
        "options, ''",
        "search_path, 0A000",
        "search_path, 08P01",
        "application_name, 0A000",
        "application_name, 08P01",
    })
    void relayAndConsoleDoWithoutWhatIsRefused(String parameter, String code) throws SQLException {
        try (StubProxy proxy = new StubProxy(server.port(), code, parameter);
                HikariDataSource relay = database(proxy, EVERY_PARAMETER).pool("r1", Duration.ofSeconds(5));
                HikariDataSource console = database(proxy, EVERY_PARAMETER).desk("r1")) {
            assertThat(text(relay, "SHOW application_name")).isEqualTo("posthorn relay r1");
            assertThat(text(console, "SHOW application_name")).isEqualTo("posthorn console r1");
            assertThat(text(relay, "SHOW jit")).isEqualTo(parameter.equals("options") ? "on" : "off");
            assertThat(proxy.accepted()).doesNotContain(parameter).contains("user", "database");
        }
    }

    @Test
    void theyDoWithoutAllOfThemAtOnce() throws SQLException {
        try (StubProxy proxy = new StubProxy(server.port(), "0A000", "options", "search_path", "application_name");
                HikariDataSource relay = database(proxy, EVERY_PARAMETER).pool("r1", Duration.ofSeconds(5))) {
            assertThat(text(relay, "SHOW application_name")).isEqualTo("posthorn relay r1");
            assertThat(proxy.accepted())
                    .containsExactlyInAnyOrder("user", "database", "client_encoding", "DateStyle", "TimeZone");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"client_encoding", "DateStyle", "TimeZone"})
    void aParameterThatTheDriverAlwaysSendsIsNamedInTheError(String parameter) {
        try (StubProxy proxy = new StubProxy(server.port(), "0A000", parameter)) {
            Database database = database(proxy, "");

            assertThatThrownBy(() -> database.pool("r1", Duration.ofSeconds(5)))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("unsupported startup parameter: " + parameter)
                    .hasMessageContaining("SQLState 0A000");
        }
    }

    @Test
    void optionsOfTheUrlAreNotLeftOut() {
        try (StubProxy proxy = new StubProxy(server.port(), "0A000", "options")) {
            Database database = database(proxy, "&options=-c%20role%3Dreader");

            assertThatThrownBy(() -> database.pool("r1", Duration.ofSeconds(5)))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("The database URL sets options")
                    .hasMessageContaining("ALTER ROLE");
        }
    }

    @Test
    void aRelayBehindAProxyLikeThatOfRdsPublishes(@TempDir Path folder) throws Exception {
        try (StubProxy proxy = new StubProxy(server.port(), "0A000", "options")) {
            aMasterUserWithoutSuperuser();
            String url = url(proxy, "shop", "").replace("user=postgres", "user=master");
            Path config = Files.writeString(folder.resolve("relay.yaml"), """
                    database: {url: '%s'}
                    transports: {out: {address: 'file:%s/out'}}
                    routes: {all: {transport: out, start: beginning}}
                    http: {address: '127.0.0.1:0'}
                    """.formatted(url, folder));
            Cli migrated = Cli.run("schema", "migrate", "--database-url", url);
            assertThat(migrated.code()).as(migrated.err()).isZero();
            Cli.run("emit", "--database-url", url, "--domain", "shop", "--type", "sold", "--json-payload", "{}");
            try (StartedRelay relay = new StartedRelay(config).untilStarted(1)) {
                relay.await("the event is published", () -> published(folder.resolve("out")));

                assertThat(relay.stop()).isZero();
                assertThat(relay.err()).anyMatch(line -> line.contains("refuses the connection parameter options"));
            }
        }
    }

    /** The login that managed services give: it owns its database and may create roles. */
    private static void aMasterUserWithoutSuperuser() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.createDatabase("shop"));
                Statement run = connection.createStatement()) {
            run.execute("CREATE ROLE master LOGIN CREATEROLE CREATEDB NOSUPERUSER");
            run.execute("ALTER DATABASE shop OWNER TO master");
        }
    }

    private static boolean published(Path file) {
        try {
            return Files.exists(file) && Files.readString(file).contains("sold");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Database database(StubProxy proxy, String more) {
        return Database.of(DatabaseUrl.parse(url(proxy, "postgres", more)), "posthorn");
    }

    private static String url(StubProxy proxy, String name, String more) {
        return "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + name + "?user=postgres" + more;
    }

    private static String text(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement ask = connection.createStatement();
                ResultSet row = ask.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
