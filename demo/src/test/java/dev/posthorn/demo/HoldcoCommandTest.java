package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.transport.Publisher;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** With a real RabbitMQ. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HoldcoCommandTest {

    @Test
    void everyQueuesEffectsHappenOnceAndInOrder() {
        DemoRun run = run(UnaryOperator.identity(), "--json", "--events=600", "--lost-answers=0.05", "--seed=42");

        assertThat(run.out())
                .matches("\\{\"committed\":600,\"published\":600,\"lost\":0,\"invented\":0,\"duplicates\":[0-9]+,"
                        + "\"out_of_order\":0,\"lag_p50_ms\":[0-9.]+,\"lag_p99_ms\":[0-9.]+,\"events_per_s\":[0-9]+,"
                        + "\"seed\":42}\n");
        assertThat(run.number("duplicates")).as("of lost answers").isPositive();
        assertThat(run.number("lag_p50_ms")).isPositive();
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void anEventThatTheTransportDropsIsLostAndTheRunFails() {
        DemoRun run = run(
                publisher -> new Saboteur(publisher, Saboteur.Crime.DROP),
                "--json",
                "--events=300",
                "--patience=5s",
                "--lost-answers=0",
                "--fail-rate=0");

        assertThat(run.number("committed")).isEqualTo(300);
        assertThat(run.number("published")).isEqualTo(299);
        assertThat(run.number("lost"))
                .as("by analytics.ingest and whoever else wanted it")
                .isBetween(1.0, 3.0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void twoEventsOfOneAggregateThatTheTransportSwapsAreOutOfOrderAndTheRunFails() {
        DemoRun run = run(
                publisher -> new Saboteur(publisher, Saboteur.Crime.SWAP),
                "--json",
                "--events=1000",
                "--patience=5s",
                "--lost-answers=0",
                "--fail-rate=0");

        assertThat(run.number("lost")).isZero();
        assertThat(run.number("out_of_order")).isPositive();
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theVerdictForPeopleHasALineForEachQueue() {
        DemoRun run = run(UnaryOperator.identity(), "--events=100");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting RabbitMQ ...\n")
                .contains("analytics.ingest", "erp.sync", "inventory.reconcile", "pricing.refresh", "notifications")
                .endsWith("Every committed event had its effects, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void allFaultsOfTheInputAreSaidAtOnce() {
        DemoRun run = run(UnaryOperator.identity(), "--producers=0", "--fail-rate=2");

        assertThat(run.error())
                .isEqualTo(
                        "posthorn: --producers is 0, but must be 1 to 50; --fail-rate is 2.0, but must be a share from 0"
                                + " to 1. See: posthorn demo holdco --help\n");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void itIsACommandOfTheDemoAndEveryFlagIsDescribed() {
        CommandLine holdco = Objects.requireNonNull(
                new CommandLine(new DemoCommand()).getSubcommands().get("holdco"));

        assertThat(holdco.getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
    }

    private static DemoRun run(UnaryOperator<Publisher> wrapper, String... arguments) {
        Assumptions.assumeTrue(
                EmbeddedRabbitMq.isInstalled() || "true".equals(System.getenv("CI")), "RabbitMQ is not installed");
        return DemoRun.by(streams -> new HoldcoCommand(streams, wrapper), arguments);
    }
}
