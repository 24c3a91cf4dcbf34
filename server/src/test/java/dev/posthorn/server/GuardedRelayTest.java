package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.Tokens;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay process with a registry and with fields to hide, from a configuration, asked by commands. */
@Timeout(300)
class GuardedRelayTest {

    private static final String ADMIN = "a-token-of-ann-the-admin";
    private static final String OPERATOR = "a-token-of-oli-the-operator";

    private static EmbeddedPostgres server;
    private static String url;
    private static StartedRelay relay;
    private static String dead;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void aRelayThatChecksAndHides() throws Exception {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        url = server.createDatabase("guarded");
        Files.writeString(folder.resolve("types.yaml"), """
                types:
                  - {domain: orders, type: order.placed, aggregate: order, retry: fixed}
                  - {domain: orders, type: order.paid, version: 2, mode: warn}
                """);
        relay = new StartedRelay(config("registry: {file: '%s/types.yaml'}\nprivacy: {redact: [email, customer.name]}\n"
                        .formatted(folder)))
                .untilStarted(1);
        dead = one("INSERT INTO posthorn.outbox (domain, type, payload) VALUES ('orders', 'order.eaten',"
                + " '{\"email\": \"ann\", \"customer\": {\"name\": \"Ann\"}, \"total\": 3}') RETURNING id");
        relay.await(
                "it is refused by the registry",
                () -> one("SELECT count(*) FROM posthorn.dead").equals("1"));
    }

    @AfterAll
    static void stop() {
        relay.close();
        server.close();
    }

    @Test
    void theTypesOfAProcessAreThoseOfItsFile() {
        Cli there = as(OPERATOR, "registry", "list");

        assertThat(there.code()).as(there.err()).isZero();
        assertThat(there.out())
                .isEqualTo(Cli.run(
                                "registry",
                                "list",
                                "--file",
                                folder.resolve("types.yaml").toString())
                        .out())
                .contains("orders/order.paid version 2, payload any, mode warn");
        JsonNode types = as(OPERATOR, "registry", "list", "--json").json().path("types");
        assertThat(types.get(1).path("aggregate_type").asText()).isEqualTo("order");
    }

    @Test
    void aRegistryIsLookedForInOnePlace() {
        assertThat(Cli.run("registry", "list").err()).contains("Which registry? Name it with --file or --config.");
        assertThat(as(OPERATOR, "registry", "list", "--file", "types.yaml").err())
                .contains("--url and a file are two places to look. Give one of them.");
    }

    @Test
    void aProcessWithoutARegistrySaysSo() throws Exception {
        try (StartedRelay other = new StartedRelay(config("")).untilStarted(1)) {
            Cli told = Cli.run("registry", "list", "--url", "http://127.0.0.1:" + other.port(), "--token", ADMIN);

            assertThat(told.code()).isEqualTo(1);
            assertThat(told.err()).contains("This process has no registry", "registry.file");
        }
    }

    @Test
    void fieldsAreHiddenFromAnOperatorAndShownToAnAdmin() {
        assertThat(as(OPERATOR, "dead", "show", dead).out())
                .contains("body: {\"email\":\"***\",\"customer\":{\"name\":\"***\"},\"total\":3}");
        assertThat(as(ADMIN, "dead", "show", dead).out()).contains("\"email\": \"ann\"");
    }

    @Test
    void fieldsAreHiddenFromWhoAsksTheDatabaseSo() {
        Cli whole = here("dead", "show", dead);
        Cli hidden = here("dead", "show", dead, "--redact", "email, name");

        assertThat(whole.out()).contains("\"email\": \"ann\"");
        assertThat(hidden.out()).contains("body: {\"email\":\"***\",\"customer\":{\"name\":\"***\"},\"total\":3}");
    }

    private static Path config(String more) throws Exception {
        return Files.writeString(
                Files.createTempFile(folder, "posthorn", ".yaml"),
                """
                database: {url: '%s'}
                transports: {out: {address: 'file:%s/out'}}
                routes: {main: {transport: out, start: beginning}}
                http:
                  address: '127.0.0.1:0'
                  tokens:
                    ann: {role: admin, sha256: '%s'}
                    oli: {role: operator, sha256: '%s'}
                """.formatted(url, folder, Tokens.hashOf(ADMIN), Tokens.hashOf(OPERATOR)) + more);
    }

    private static Cli here(String... words) {
        return with(List.of(words), "--database-url", url);
    }

    private static Cli as(String token, String... words) {
        return with(List.of(words), "--url", "http://127.0.0.1:" + relay.port(), "--token", token);
    }

    private static Cli with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return Cli.run(all.toArray(String[]::new));
    }

    private static String one(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).as(sql).isTrue();
            return row.getString(1);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
