package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCommandTest {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @TempDir
    private Path folder;

    @Test
    void aGoodFileHasNoFaults() throws IOException {
        String file = file("http: {metrics-token: top-secret-token}");

        assertThat(Cli.run("config", "check", "--config", file).out()).startsWith("All is well.");
        assertThat(Cli.run("config", "check", "--config", file, "--json")
                        .json()
                        .path("valid")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void faultsAreToldForPeopleAndForPrograms() throws IOException {
        String file = file("relay: {batch: none}\nnonsense: 1");

        Cli told = Cli.run("config", "check", "--config", file);
        assertThat(told.code()).isEqualTo(1);
        assertThat(told.out())
                .startsWith("2 faults in the configuration:")
                .contains("posthorn.yaml:4: relay.batch = \"none\"", "posthorn.yaml:5: nonsense");

        JsonNode faults =
                Cli.run("config", "check", "--config", file, "--json").json().path("faults");
        assertThat(faults.get(0).path("key").asText()).isEqualTo("relay.batch");
        assertThat(faults.get(0).path("value").asText()).isEqualTo("none");
        assertThat(faults.get(0).path("where").asText()).isEqualTo("posthorn.yaml:4");
    }

    @Test
    void printedValuesSayWhereTheyCameFromAndShowNoSecret() throws IOException {
        String file = file("http: {metrics-token: top-secret-token}");

        Cli printed = Cli.run("config", "print", "--config", file);

        assertThat(printed.code()).as(printed.err()).isZero();
        assertThat(printed.out())
                .contains("database.url = postgres://ann:***@db/shop   # file posthorn.yaml:1")
                .contains("http.metrics-token = ***   # file posthorn.yaml:4")
                .contains("relay.batch = 512   # default")
                .doesNotContain("s3cret", "top-secret");
        JsonNode values =
                Cli.run("config", "print", "--config", file, "--json").json().path("values");
        assertThat(StreamSupport.stream(values.spliterator(), false)
                        .filter(value -> value.path("key").asText().equals("routes.orders.transport"))
                        .map(value -> value.path("value").asText() + " "
                                + value.path("from").asText() + " "
                                + value.path("where").asText()))
                .containsExactly("out file posthorn.yaml:3");
    }

    @Test
    void aFileThatIsNotThereIsAFault() {
        Cli told = Cli.run("config", "check", "--config", "/no/such/file.yaml");

        assertThat(told.code()).isEqualTo(1);
        assertThat(told.out()).contains("/no/such/file.yaml: ", "can not be read");
    }

    @Test
    void aRelayRefusesAFileWithFaultsAndOptionsThatBelongIntoIt() throws IOException {
        assertThat(Cli.run("relay", "--config", file("relay: {batch: 0}")).err())
                .contains("relay.batch = \"0\": it is out of range");
        assertThat(Cli.run("relay", "--config", file(""), "--batch", "7").err())
                .contains("--batch does not go with --config");
        assertThat(Cli.run("relay", "--database-url", "postgres://db/x").err())
                .contains("--transport")
                .contains("--config");
    }

    @Test
    void thePageAboutTheConfigurationIsWhatTheProgramPrints() throws IOException {
        String printed = Cli.run("config", "reference").out();
        if (Boolean.getBoolean("posthorn.docs.update")) {
            Files.writeString(PAGE, printed);
        }

        assertThat(Files.readString(PAGE))
                .as("update it with: ./posthorn config reference > docs/configuration.md")
                .isEqualTo(printed);
    }

    @Test
    void aTokenIsMadeWithWhatBelongsIntoTheFile() throws IOException {
        JsonNode made = Cli.run("config", "token", "ann", "--role", "operator", "--json")
                .json();
        String lines = Cli.run("config", "token", "bob").out();

        assertThat(made.path("sha256").asText())
                .isEqualTo(Tokens.hashOf(made.path("token").asText()));
        assertThat(made.path("token").asText()).hasSizeGreaterThan(20);
        assertThat(lines).contains("bob: {role: viewer, sha256: ");
        String file = file(lines.substring(lines.indexOf("  http:")).replaceAll("(?m)^  ", ""));
        assertThat(Cli.run("config", "check", "--config", file).code()).isZero();
        assertThat(Cli.run("config", "token", "eve", "--role", "boss").err()).contains("'boss'");
    }

    @Test
    void theReferenceIsAlsoForPrograms() {
        JsonNode settings = Cli.run("config", "reference", "--json").json().path("settings");

        assertThat(settings).hasSize(Settings.ALL.size());
        assertThat(settings.get(1).path("variable").asText()).isEqualTo("POSTHORN_DATABASE_URL");
    }

    private String file(String more) throws IOException {
        Path file = folder.resolve("posthorn.yaml");
        Files.writeString(file, """
                database: {url: 'postgres://ann:s3cret@db/shop'}
                transports: {out: {address: memory}}
                routes: {orders: {transport: out}}
                """ + more);
        return file.toString();
    }
}
