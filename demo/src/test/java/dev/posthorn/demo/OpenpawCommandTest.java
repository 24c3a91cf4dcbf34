package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.transport.Publisher;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With a Redis of its own. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("exact")
class OpenpawCommandTest {

    @Test
    void everyVersionHasAllOfItsEffectsOnceAndInOrder() {
        DemoRun run = run("--json", "--events=600", "--lost-answers=0.05", "--seed=42");

        run.assertClean(600, 42);
        assertThat(run.number("duplicates")).isPositive();
    }

    @Test
    void anEventThatTheTransportDropsIsLostAndTheRunFails() {
        DemoRun run = DemoRun.sabotaged(with(publisher -> new Saboteur(publisher, Saboteur.Crime.DROP)), 150);

        assertThat(run.number("committed")).isEqualTo(150);
        assertThat(run.number("lost")).as("it, and what would have followed").isBetween(1.0, 3.0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theVerdictForPeopleHasPromisesBesideWhatWasSeen() {
        DemoRun run = run("--events=30", "--lost-answers=0");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting Redis ...\n")
                .contains("10 workflow runs for 10 commands; 0 versions unsettled")
                .containsPattern("no lost critical domain events +30 committed, 30 delivered\n")
                .containsPattern(
                        "no duplicate effects per handler +0 happened twice, with 0 deliveries of what was handled before\n")
                .containsPattern("can be audited +40 rows with delivered_at, 70 marks, 30 steps\n")
                .containsPattern("exactly-once transport delivery +0 duplicates were delivered and recognised\n")
                .containsPattern(
                        "order across types of events +[0-9]+ events arrived after a later one of another stream\n")
                .endsWith("Every committed event had its effects, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    private static DemoRun run(String... arguments) {
        return DemoRun.by(with(UnaryOperator.identity()), arguments);
    }

    private static Function<Streams, Callable<Integer>> with(UnaryOperator<Publisher> wrapper) {
        if (!EmbeddedRedis.isInstalled()) {
            String why = "redis-server is not installed on this machine";
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("The demo of openpaw is not tested: " + why);
            Assumptions.abort(why);
        }
        return streams -> new OpenpawCommand(streams, wrapper);
    }
}
