package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The schema of the log is named by an environment variable, or by mistake. */
@Timeout(120)
class SchemaVariableTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void commandsUseTheSchemaOfTheVariable() throws Exception {
        String url = server.createDatabase("variable");
        assertThat(run(url, "orders_log", "schema", "migrate")).contains("orders_log");

        assertThat(run(url, "orders_log", "status")).contains("exit 0");
        assertThat(run(url, "orders_log", "dead", "list")).contains("exit 0");
        assertThat(run(url, "other", "status")).contains("exit 1");
    }

    @Test
    void everyCommandThatTakesASchemaNamesTheVariable() {
        List<OptionSpec> options = new ArrayList<>();
        collect(Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter())), options);

        assertThat(options)
                .hasSizeGreaterThan(20)
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.command().qualifiedName())
                        .anyMatch(line -> line.contains("POSTHORN_DATABASE_SCHEMA")));
    }

    @Test
    void aMistypedSchemaCreatesNoSecondLog() {
        String url = server.createDatabase("mistyped");
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();

        Cli refused = Cli.run("schema", "migrate", "--database-url", url, "--schema", "posthron");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("there is one in posthorn").contains("--another-log");
        assertThat(Cli.run("schema", "migrate", "--database-url", url, "--schema", "posthron", "--another-log")
                        .code())
                .isZero();
    }

    @Test
    void aDroppedIndexIsFound() throws Exception {
        String url = server.createDatabase("index");
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
        assertThat(Cli.run("schema", "validate", "--database-url", url).code()).isZero();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP INDEX posthorn.outbox_key_seq");
        }

        Cli found = Cli.run("schema", "validate", "--database-url", url);

        assertThat(found.code()).isEqualTo(1);
        assertThat(found.out()).contains("index outbox_key_seq is missing").contains("CREATE INDEX CONCURRENTLY");
        assertThat(Cli.run("doctor", "--database-url", url).out()).contains("index outbox_key_seq is missing");
    }

    @Test
    void doctorSaysOnceThatThereIsNoLog() {
        Cli found = Cli.run("doctor", "--database-url", server.createDatabase("nothing"));

        assertThat(found.code()).isEqualTo(1);
        assertThat(found.out()).containsOnlyOnce("SERIOUS").contains("there is no log in it");
    }

    private static void collect(CommandLine command, List<OptionSpec> options) {
        OptionSpec schema = command.getCommandSpec().findOption("--schema");
        if (schema != null) {
            options.add(schema);
        }
        command.getSubcommands().values().forEach(one -> collect(one, options));
    }

    /** In a process of its own, because of the variable; its output and exit code. */
    private static String run(String url, String schema, String... args) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        builder.command().addAll(List.of(args));
        builder.environment().put("POSTHORN_DATABASE_URL", url);
        builder.environment().put("POSTHORN_DATABASE_SCHEMA", schema);
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return said + "\nexit " + process.exitValue();
    }
}
