package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor finds with a configuration at hand. */
class DoctorCommandTest {

    private static final Path CHECKS = Path.of("../postgres/src/main/java/dev/posthorn/postgres");

    private static EmbeddedPostgres server;
    private static String url;

    @TempDir
    private Path folder;

    @BeforeAll
    static void aLogWithALargeEvent() throws SQLException {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        url = server.createDatabase("doctor");
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
        assertThat(Cli.run("routes", "create", "films", "--database-url", url).code())
                .isZero();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO posthorn.outbox (domain, type, payload)"
                    + " VALUES ('films', 'shot', convert_to(repeat('x', 1100000), 'UTF8'))");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void whatTheBrokerTakesIsComparedWithTheSizesOfPayloads() throws IOException {
        Path config = config("retention: {log: 30d, broker: 7d, inbox: 30d}");

        Cli answer = Cli.run("doctor", "--config", config.toString(), "--json");

        assertThat(answer.code()).as(answer.err()).isEqualTo(1);
        assertThat(found(answer, "size").get(0).path("found").asText())
                .contains("route films")
                .contains("1,000,000 bytes")
                .contains("films/shot");
        assertThat(found(answer, "retention")).hasSize(1);
        assertThat(found(answer, "retention").get(0).path("serious").asBoolean(true))
                .isFalse();
    }

    @Test
    void withoutAConfigurationNeitherIsKnown() {
        Cli answer = Cli.run("doctor", "--database-url", url, "--json");

        assertThat(found(answer, "size")).isEmpty();
        assertThat(found(answer, "retention")).isEmpty();
    }

    @Test
    void anotherDatabaseMayBeNamedBesideTheFile() throws IOException {
        Path config = config("retention: {inbox: 60d}");

        Cli answer =
                Cli.run("doctor", "--config", config.toString(), "--database-url", "postgres://u:pw@127.0.0.1:1/none");

        assertThat(answer.out()).contains("SERIOUS connection: No connection to the database none");
    }

    @Test
    void aFaultyConfigurationIsRefused() throws IOException {
        Cli answer =
                Cli.run("doctor", "--config", config("retention: {inbox: soon}").toString());

        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.err()).contains("retention.inbox");
    }

    @Test
    void everyCommandThatAFindingNamesExists() throws IOException {
        try (Stream<Path> files = Files.list(CHECKS)) {
            List<Path> sources = files.filter(file -> file.getFileName()
                            .toString()
                            .matches(".*Checks?\\.java|RestoredLog.java|PostgresDoctor.java"))
                    .toList();
            assertThat(sources).hasSizeGreaterThan(5);
            for (Path source : sources) {
                CommandUses.assertAllExist(Files.readString(source), source);
            }
        }
    }

    private Path config(String more) throws IOException {
        return Files.writeString(folder.resolve("posthorn.yaml"), """
                database: {url: '%s'}
                transports: {broker: {address: 'kafka://127.0.0.1:1'}}
                routes: {films: {transport: broker}}
                %s
                """.formatted(url, more));
    }

    private static List<JsonNode> found(Cli answer, String check) {
        List<JsonNode> found = new ArrayList<>();
        answer.json().path("findings").forEach(finding -> {
            if (finding.path("check").asText().equals(check)) {
                found.add(finding);
            }
        });
        return found;
    }
}
