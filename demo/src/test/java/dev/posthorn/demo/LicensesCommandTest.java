package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.transport.Publisher;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With Google's emulator of Pub/Sub and a real Redis. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("exact")
class LicensesCommandTest {

    @Test
    void everyChangeOfALicenseHasItsNoticeOnceAndInOrder() {
        DemoRun run = run("--json", "--events=600", "--lost-answers=0.05", "--seed=42");

        run.assertClean(600, 42);
        assertThat(run.number("duplicates")).as("of lost answers").isPositive();
    }

    @Test
    void anEventThatTheTransportDropsIsLostAndTheRunFails() {
        DemoRun run = DemoRun.sabotaged(with(publisher -> new Saboteur(publisher, Saboteur.Crime.DROP)), 300);

        assertThat(run.number("committed")).isEqualTo(300);
        assertThat(run.number("published")).isEqualTo(299);
        assertThat(run.number("lost")).isEqualTo(1);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void twoEventsOfOneLicenseThatTheTransportSwapsAreOutOfOrderAndTheRunFails() {
        DemoRun run = DemoRun.sabotaged(with(publisher -> new Saboteur(publisher, Saboteur.Crime.SWAP)), 1000);

        assertThat(run.number("lost")).isZero();
        assertThat(run.number("out_of_order")).isPositive();
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theVerdictForPeopleTellsOfTheNotices() {
        DemoRun run = run("--events=50");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting an emulator of Pub/Sub and Redis ...\n")
                .contains("topic pf-domain-events and subscription pf-domain-events-compliance are there")
                .contains(
                        "50 events committed, 50 arrived, 0 lost, 0 invented, 0 out of order, 0 effects that happened twice")
                .endsWith("Every committed event had its effects, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    private static DemoRun run(String... arguments) {
        return DemoRun.by(with(UnaryOperator.identity()), arguments);
    }

    private static Function<Streams, Callable<Integer>> with(UnaryOperator<Publisher> wrapper) {
        Assumptions.assumeTrue(
                (EmbeddedPubSub.isInstalled() && EmbeddedRedis.isInstalled()) || "true".equals(System.getenv("CI")),
                "an emulator of Pub/Sub or redis-server is not installed");
        return streams -> new LicensesCommand(streams, wrapper);
    }
}
