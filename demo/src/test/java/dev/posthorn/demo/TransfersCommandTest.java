package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.transport.Publisher;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** With an emulator of SNS and SQS. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class TransfersCommandTest {

    @Test
    void everyTransferHasAllOfItsEffectsOnceAndInOrder() {
        DemoRun run = run(UnaryOperator.identity(), "--json", "--events=300", "--lost-answers=0.05", "--seed=42");

        assertThat(run.out())
                .matches("\\{\"committed\":300,\"published\":300,\"lost\":0,\"invented\":0,\"duplicates\":[0-9]+,"
                        + "\"out_of_order\":0,\"lag_p50_ms\":[0-9.]+,\"lag_p99_ms\":[0-9.]+,\"events_per_s\":[0-9]+,"
                        + "\"seed\":42}\n");
        assertThat(run.number("lag_p50_ms")).isPositive();
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void anEventThatTheTransportDropsIsLostAndTheRunFails() {
        DemoRun run = run(
                publisher -> new Saboteur(publisher, Saboteur.Crime.DROP),
                "--json",
                "--events=150",
                "--patience=5s",
                "--lost-answers=0",
                "--fail-rate=0");

        assertThat(run.number("committed")).isEqualTo(150);
        assertThat(run.number("lost")).as("it, and what would have followed").isBetween(1.0, 3.0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theVerdictForPeopleTellsOfTheRail() {
        DemoRun run = run(UnaryOperator.identity(), "--events=30");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting an emulator of SNS and SQS ...\n")
                .contains("10 calls of the rail, 10 payments; 0 transfers unsettled or unbalanced")
                .endsWith("Every committed event had its effects, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void itIsACommandOfTheDemoAndEveryFlagIsDescribed() {
        CommandLine transfers = Objects.requireNonNull(
                new CommandLine(new DemoCommand()).getSubcommands().get("transfers"));

        assertThat(transfers.getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
    }

    private static DemoRun run(UnaryOperator<Publisher> wrapper, String... arguments) {
        String obstacle = EmbeddedSnsSqs.obstacle().orElse("");
        Assumptions.assumeTrue(obstacle.isEmpty() || "true".equals(System.getenv("CI")), obstacle);
        return DemoRun.by(streams -> new TransfersCommand(streams, wrapper), arguments);
    }
}
