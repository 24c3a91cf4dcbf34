package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandLineTest {

    /** Every command, as the words that call it. */
    static List<List<String>> commands() {
        List<List<String>> found = new ArrayList<>();
        collect(
                Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter())),
                List.of(),
                found);
        return found;
    }

    private static void collect(CommandLine command, List<String> words, List<List<String>> found) {
        found.add(words);
        command.getSubcommands().forEach((name, child) -> {
            if (!name.equals("help")) {
                collect(child, Stream.concat(words.stream(), Stream.of(name)).toList(), found);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandExplainsItselfAndItsOptions(List<String> words) {
        Cli help = Cli.run(Stream.concat(words.stream(), Stream.of("--help")).toArray(String[]::new));

        assertThat(help.code()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out()).startsWith("Usage: posthorn");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandAndOptionHasADescription(List<String> words) {
        CommandLine command =
                Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
        for (String word : words) {
            command = Objects.requireNonNull(command.getSubcommands().get(word));
        }

        assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
        assertThat(command.getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "relay",
                "rebase",
                "doctor",
                "status",
                "emit",
                "version",
                "schema print",
                "schema grants relay",
                "schema seed-views holdco",
                "demo holdco",
                "dead list"
            })
    void anUnknownOptionIsRefusedWithAHint(String command) {
        Cli answer = Cli.run((command + " --jsno").split(" ", -1));

        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).contains("--help");
    }

    @Test
    void aSlipInACommandIsCorrected() {
        Cli answer = Cli.run("statsu");

        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.err()).contains("'statsu'").contains("posthorn status");
    }

    @Test
    void aPasswordInAnUnknownOptionIsNotRepeated() {
        Cli answer = Cli.run("status", "--databaseurl=postgres://ann:s3c@ret@h/db");

        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.err()).contains("ann:***@h/db").doesNotContain("s3c").doesNotContain("ret@");
    }

    @Test
    void aDatabaseThatIsNotThereIsNamedWithItsAddressAndWithoutItsPassword() {
        Cli answer = Cli.run("status", "-v", "--database-url", "postgres://ann:s3cret@127.0.0.1:1/orders");

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err())
                .startsWith("posthorn: No connection to the database orders at 127.0.0.1:1")
                .contains("\tat dev.posthorn.server")
                .doesNotContain("s3cret");
    }

    @Test
    void aRelayGivesUpWaitingForItsDatabaseIfItIsToldTo() {
        Cli answer = Cli.run(
                "relay",
                "--transport",
                "memory",
                "--wait",
                "1200ms",
                "--database-url",
                "postgres://ann:s3cret@127.0.0.1:1/orders");

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err().lines().filter(line -> line.contains("No connection to the database orders")))
                .hasSizeBetween(2, 3);
        assertThat(answer.err()).contains("Trying again in ").doesNotContain("s3cret");
    }

    @Test
    void withoutADatabaseTheErrorSaysHowToNameOne() {
        Cli answer = Cli.run("status");

        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.err()).contains("--database-url").contains("POSTHORN_DATABASE_URL");
    }

    @Test
    void aRelayRefusesWhatMakesNoSenseBeforeItConnects() {
        String[] relay = {"relay", "--transport", "memory", "--database-url", "postgres://h/db"};

        assertThat(with(relay, "--lease-ttl", "10ms").err()).contains("leaseTtl must be at least 1s");
        assertThat(with(relay, "--lease-ttl", "soon").err()).contains("\"soon\" is not a time");
        assertThat(with(relay, "--batch", "0").err()).contains("page must be at least 1");
        assertThat(with(relay, "--retry", "never").err()).contains("--retry");
        assertThat(Cli.run("relay", "--transport", "file:/no/such/folder/x").err())
                .contains("the folder of /no/such/folder/x does not exist");
    }

    private static Cli with(String[] first, String... more) {
        return Cli.run(Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void theRightsOfARoleArePrintedWithoutADatabase() {
        Cli printed = Cli.run("schema", "grants", "producer", "--to", "Shop \"1\"", "--schema", "my-events");

        assertThat(printed.code()).as(printed.err()).isZero();
        assertThat(printed.out())
                .startsWith("GRANT USAGE ON SCHEMA \"my-events\" TO \"Shop \"\"1\"\"\";")
                .contains("GRANT INSERT (")
                .doesNotContain("{role}")
                .doesNotContain("SELECT");
        assertThat(Cli.run("schema", "grants", "producer", "--to", "public").err())
                .contains("--to: \"public\" is everybody");
        assertThat(Cli.run("schema", "grants", "boss", "--to", "x").err())
                .contains("'boss'")
                .containsIgnoringCase("viewer");
        assertThat(Cli.run("schema", "grants", "--help").out())
                .contains("Examples:")
                .contains("--apply");
    }

    @Test
    void theViewsOfAGrownSystemArePrintedWithoutADatabase() {
        Cli printed = Cli.run("schema", "seed-views", "holdco", "--views", "shop", "--to", "shop_service", "--print");

        assertThat(printed.code()).as(printed.err()).isZero();
        assertThat(printed.out())
                .contains("VIEW \"shop\".event_outbox", "\"posthorn\".outbox", "TO \"shop_service\";")
                .doesNotContain("{views}", "{schema}", "{role}", "{tables}");
        assertThat(Cli.run("schema", "seed-views", "transfers", "--to", "cts", "--print")
                        .out())
                .contains("VIEW \"public\".outbox", "VIEW \"public\".inbox", "TO \"cts\";")
                .doesNotContain("{views}", "{schema}", "{role}", "{tables}");
        assertThat(Cli.run("schema", "seed-views", "openpaw", "--to", "registry", "--print")
                        .out())
                .contains("VIEW \"public\".outbox", "VIEW \"public\".workflow_runs", "TO \"registry\";")
                .doesNotContain("{views}", "{schema}", "{role}", "{tables}");
        assertThat(Cli.run("schema", "seed-views", "licenses", "--to", "api", "--print")
                        .out())
                .contains("VIEW \"public\".outbox_events", "TO \"api\";")
                .doesNotContain("{views}", "{schema}", "{role}", "{tables}");
        assertThat(Cli.run("schema", "seed-views", "workflows", "--to", "pages", "--print")
                        .out())
                .contains("CREATE OR REPLACE VIEW \"public\".workflow_step_logs");
        assertThat(Cli.run("schema", "seed-views", "holdco", "--views", "posthorn", "--print")
                        .err())
                .contains("The views need another schema than the log");
        assertThat(Cli.run("schema", "seed-views", "tables-of-mine").err()).containsIgnoringCase("holdco");
    }

    @Test
    void benchmarksAreListedForPeopleAndForPrograms() {
        assertThat(Cli.run("bench", "list").out()).contains("drain ").contains("emit ");
        assertThat(Cli.run("bench", "list", "--json").json().path("benchmarks").findValuesAsText("name"))
                .contains("drain", "emit", "consume");
    }

    @Test
    void versionsArePrintedForPeopleAndForPrograms() {
        assertThat(Cli.run("version").out()).startsWith("posthorn " + Version.number());
        assertThat(Cli.run("version", "--json").json().path("posthorn").asText())
                .isEqualTo(Version.number())
                .isNotEqualTo("unknown");
    }
}
