package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.transport.Publisher;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With a real RabbitMQ. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("exact")
class HoldcoCommandTest {

    @Test
    void everyQueuesEffectsHappenOnceAndInOrder() {
        DemoRun run = run("--json", "--events=600", "--lost-answers=0.05", "--seed=42");

        run.assertClean(600, 42);
        assertThat(run.number("duplicates")).as("of lost answers").isPositive();
    }

    @Test
    void anEventThatTheTransportDropsIsLostAndTheRunFails() {
        DemoRun run = DemoRun.sabotaged(with(publisher -> new Saboteur(publisher, Saboteur.Crime.DROP)), 300);

        assertThat(run.number("committed")).isEqualTo(300);
        assertThat(run.number("published")).isEqualTo(299);
        assertThat(run.number("lost"))
                .as("by analytics.ingest and whoever else wanted it")
                .isBetween(1.0, 3.0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void twoEventsOfOneAggregateThatTheTransportSwapsAreOutOfOrderAndTheRunFails() {
        DemoRun run = DemoRun.sabotaged(with(publisher -> new Saboteur(publisher, Saboteur.Crime.SWAP)), 1000);

        assertThat(run.number("lost")).isZero();
        assertThat(run.number("out_of_order")).isPositive();
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theVerdictForPeopleHasALineForEachQueue() {
        DemoRun run = run("--events=100");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting RabbitMQ ...\n")
                .contains("analytics.ingest", "erp.sync", "inventory.reconcile", "pricing.refresh", "notifications")
                .endsWith("Every committed event had its effects, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void allFaultsOfTheInputAreSaidAtOnce() {
        DemoRun run = run("--producers=0", "--fail-rate=2");

        assertThat(run.error())
                .isEqualTo(
                        "posthorn: --producers is 0, but must be 1 to 50; --fail-rate is 2.0, but must be a share from 0"
                                + " to 1. See: posthorn demo holdco --help\n");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    private static DemoRun run(String... arguments) {
        return DemoRun.by(with(UnaryOperator.identity()), arguments);
    }

    private static Function<Streams, Callable<Integer>> with(UnaryOperator<Publisher> wrapper) {
        Assumptions.assumeTrue(
                EmbeddedRabbitMq.isInstalled() || "true".equals(System.getenv("CI")), "RabbitMQ is not installed");
        return streams -> new HoldcoCommand(streams, wrapper);
    }
}
