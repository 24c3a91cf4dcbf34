package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.transport.Publisher;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** With Google's emulator of Pub/Sub and a real Redis. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class LicensesCommandTest {

    @Test
    void everyChangeOfALicenseHasItsNoticeOnceAndInOrder() {
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
        assertThat(run.number("lost")).isEqualTo(1);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void twoEventsOfOneLicenseThatTheTransportSwapsAreOutOfOrderAndTheRunFails() {
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
    void theVerdictForPeopleTellsOfTheNotices() {
        DemoRun run = run(UnaryOperator.identity(), "--events=50");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting an emulator of Pub/Sub and Redis ...\n")
                .contains("topic pf-domain-events and subscription pf-domain-events-compliance are there")
                .contains(
                        "50 events committed, 50 arrived, 0 lost, 0 invented, 0 out of order, 0 effects that happened twice")
                .endsWith("Every committed event had its notice, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void itIsACommandOfTheDemoAndEveryFlagIsDescribed() {
        CommandLine licenses = Objects.requireNonNull(
                new CommandLine(new DemoCommand()).getSubcommands().get("licenses"));

        assertThat(licenses.getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
    }

    private static DemoRun run(UnaryOperator<Publisher> wrapper, String... arguments) {
        Assumptions.assumeTrue(
                (EmbeddedPubSub.isInstalled() && EmbeddedRedis.isInstalled()) || "true".equals(System.getenv("CI")),
                "an emulator of Pub/Sub or redis-server is not installed");
        return DemoRun.by(streams -> new LicensesCommand(streams, wrapper), arguments);
    }
}
