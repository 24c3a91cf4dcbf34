package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.transport.Publisher;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Over transports that need nothing but this machine; the others pass the contract of transports. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class PokerCommandTest {

    @ParameterizedTest
    @ValueSource(strings = {"memory", "ipc", "postgres-log"})
    void everyHandAndSeatHasAllOfItsEffectsOnceAndInOrder(String transport) {
        DemoRun run = run(
                UnaryOperator.identity(),
                "--transport=" + transport,
                "--json",
                "--events=400",
                "--lost-answers=0.05",
                "--large-histories=0.1",
                "--seed=42");

        assertThat(run.out())
                .matches("\\{\"committed\":400,\"published\":400,\"lost\":0,\"invented\":0,\"duplicates\":[0-9]+,"
                        + "\"out_of_order\":0,\"lag_p50_ms\":[0-9.]+,\"lag_p99_ms\":[0-9.]+,\"events_per_s\":[0-9]+,"
                        + "\"seed\":42}\n");
        if (!transport.equals("postgres-log")) { // which takes an id once, so that none arrives twice
            assertThat(run.number("duplicates")).isPositive();
        }
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void anEventThatTheTransportDropsIsLostAndTheRunFails() {
        DemoRun run = run(
                publisher -> new Saboteur(publisher, Saboteur.Crime.DROP),
                "--json",
                "--events=160",
                "--patience=5s",
                "--lost-answers=0",
                "--fail-rate=0");

        assertThat(run.number("committed")).isEqualTo(160);
        assertThat(run.number("lost")).as("it, and what would have followed").isBetween(1.0, 5.0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theVerdictForPeopleNamesTheTransport() {
        DemoRun run = run(UnaryOperator.identity(), "--events=40");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting memory ...\n")
                .contains("statistics are deployed now, and catch up")
                .contains("what each part did about them over memory, by SQL:")
                .endsWith("Every committed event had its effects, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void itIsACommandOfTheDemoAndEveryFlagIsDescribed() {
        CommandLine poker = Objects.requireNonNull(
                new CommandLine(new DemoCommand()).getSubcommands().get("poker"));

        assertThat(poker.getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
    }

    private static DemoRun run(UnaryOperator<Publisher> wrapper, String... arguments) {
        return DemoRun.by(streams -> new PokerCommand(streams, wrapper), arguments);
    }
}
