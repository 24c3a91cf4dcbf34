package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@Tag("slow")
@Tag("exact")
class DemoCommandTest {

    @Test
    void everythingArrivesInOrderWhateverGoesWrong() {
        DemoRun run = DemoRun.of(
                "--json",
                "--events=2000",
                "--accounts=50",
                "--fail-rate=0.01",
                "--outage=150ms",
                "--outage-every=300ms",
                "--late-commits=0.01",
                "--rollbacks=0.1",
                "--seed=42");

        assertThat(run.out().lines()).hasSize(1);
        assertThat(run.out())
                .matches("\\{\"committed\":2000,\"published\":2000,\"lost\":0,\"invented\":0,\"duplicates\":0,"
                        + "\"out_of_order\":0,\"lag_p50_ms\":[0-9.]+,\"lag_p99_ms\":[0-9.]+,\"events_per_s\":[0-9]+,"
                        + "\"seed\":42}\n");
        assertThat(run.number("lag_p50_ms")).isPositive();
        assertThat(run.number("lag_p99_ms")).isGreaterThanOrEqualTo(run.number("lag_p50_ms"));
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void theFirstLineSaysWhereTheConsoleIsAndTheLastOneHowItWent() {
        DemoRun run = DemoRun.of("--for=500ms", "--outage=0");

        assertThat(run.out().lines().findFirst().orElse(""))
                .matches("console at http://127\\.0\\.0\\.1:\\d+/#token=[\\w-]{22}");
        assertThat(run.out()).contains("starting Postgres ...");
        assertThat(run.out()).contains(" running ").endsWith("Every committed event arrived, in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void withoutAConsoleTheFirstLineSaysThatPostgresStarts() {
        DemoRun run = DemoRun.of("--events=10", "--outage=0", "--no-console");

        assertThat(run.out().lines().findFirst()).contains("starting Postgres ...");
    }

    @Test
    void whatTheDestinationRefusesIsDeadAndNotLost() {
        DemoRun run = DemoRun.of("--json", "--events=1000", "--refuse-rate=0.02", "--outage=0", "--seed=7");

        assertThat(run.number("dead")).isPositive();
        assertThat(run.number("published")).isEqualTo(1000 - run.number("dead"));
        assertThat(run.number("lost")).isZero();
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void aLostAnswerMakesADuplicateAndNothingWorse() {
        DemoRun run = DemoRun.of("--json", "--events=1000", "--lost-answers=0.02", "--outage=0", "--seed=7");

        assertThat(run.number("duplicates")).isPositive();
        assertThat(run.number("published")).isEqualTo(1000);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void allFaultsOfTheInputAreSaidAtOnce() {
        DemoRun run = DemoRun.of("--producers=0", "--accounts=1", "--fail-rate=2");

        assertThat(run.error())
                .isEqualTo(
                        "posthorn: --producers is 0, but must be 1 to 100; --accounts is 1, but must be 2 to 1000000;"
                                + " --fail-rate is 2.0, but must be a share from 0 to 1, such as 0.05. See: posthorn demo --help\n");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void aTimeThatIsNoneIsExplained() {
        DemoRun run = DemoRun.of("--for=soon");

        assertThat(run.error()).contains("'soon' is not a time; write 800ms, 30s, 2m or 1h");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void everyExampleHasADemo() {
        assertThat(new CommandLine(new DemoCommand()).getSubcommands())
                .containsOnlyKeys("holdco", "transfers", "openpaw", "licenses", "poker");
    }

    @Test
    void everyFlagIsDescribed() {
        CommandLine demo = new CommandLine(new DemoCommand());

        assertThat(Stream.concat(Stream.of(demo), demo.getSubcommands().values().stream()))
                .flatExtracting(command -> command.getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
    }
}
