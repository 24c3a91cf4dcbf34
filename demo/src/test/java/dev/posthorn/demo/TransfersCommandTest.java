package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.transport.Publisher;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With an emulator of SNS and SQS. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("exact")
class TransfersCommandTest {

    @Test
    void everyTransferHasAllOfItsEffectsOnceAndInOrder() {
        DemoRun run = run("--json", "--events=300", "--lost-answers=0.05", "--seed=42");

        run.assertClean(300, 42);
    }

    @Test
    void anEventThatTheTransportDropsIsLostAndTheRunFails() {
        DemoRun run = DemoRun.sabotaged(with(publisher -> new Saboteur(publisher, Saboteur.Crime.DROP)), 150);

        assertThat(run.number("committed")).isEqualTo(150);
        assertThat(run.number("lost")).as("it, and what would have followed").isBetween(1.0, 3.0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theVerdictForPeopleTellsOfTheRail() {
        DemoRun run = run("--events=30");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting an emulator of SNS and SQS ...\n")
                .contains("10 calls of the rail, 10 payments; 0 transfers unsettled or unbalanced")
                .endsWith("Every committed event had its effects, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    private static DemoRun run(String... arguments) {
        return DemoRun.by(with(UnaryOperator.identity()), arguments);
    }

    private static Function<Streams, Callable<Integer>> with(UnaryOperator<Publisher> wrapper) {
        String obstacle = EmbeddedSnsSqs.obstacle().orElse("");
        Assumptions.assumeTrue(obstacle.isEmpty() || "true".equals(System.getenv("CI")), obstacle);
        return streams -> new TransfersCommand(streams, wrapper);
    }
}
