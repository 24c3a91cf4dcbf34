package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRedis;
import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.transport.Publisher;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Over every transport, each on a server of its own where it needs one. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("exact")
class PokerCommandTest {

    static final List<String> KINDS = PokerBroker.KINDS;
    private static final Set<String> DROPS_REPEATS = Set.of("postgres-log", "sns-sqs");

    @ParameterizedTest
    @FieldSource("KINDS")
    void everyHandAndSeatHasAllOfItsEffectsOnceAndInOrder(String transport) {
        require(transport);

        DemoRun run = run(
                "--transport=" + transport,
                "--json",
                "--events=400",
                "--lost-answers=0.05",
                "--large-histories=0.1",
                "--seed=42");

        run.assertClean(400, 42);
        if (!DROPS_REPEATS.contains(transport)) {
            assertThat(run.number("duplicates")).isPositive();
        }
    }

    @Test
    void anEventThatTheTransportDropsIsLostAndTheRunFails() {
        DemoRun run = DemoRun.sabotaged(with(publisher -> new Saboteur(publisher, Saboteur.Crime.DROP)), 160);

        assertThat(run.number("committed")).isEqualTo(160);
        assertThat(run.number("lost")).as("it, and what would have followed").isBetween(1.0, 5.0);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theVerdictForPeopleNamesTheTransport() {
        DemoRun run = run("--events=40");

        assertThat(run.out())
                .startsWith("starting Postgres ...\nstarting memory ...\n")
                .contains("statistics are deployed now, and catch up")
                .contains("what each part did about them over memory, by SQL:")
                .endsWith("Every committed event had its effects, once and in order.\n");
        assertThat(run.exitCode()).isZero();
    }

    /** Without its server, a transport is skipped and says why; with CI=true the demo itself fails. */
    private static void require(String transport) {
        Optional<String> obstacle = switch (transport) {
            case "rabbitmq" -> missing(EmbeddedRabbitMq.isInstalled(), "RabbitMQ");
            case "redis-streams" -> missing(EmbeddedRedis.isInstalled(), "redis-server");
            case "google-pubsub" -> missing(EmbeddedPubSub.isInstalled(), "an emulator of Pub/Sub");
            case "sns-sqs" -> EmbeddedSnsSqs.obstacle();
            default -> Optional.empty();
        };
        if (obstacle.isPresent() && !"true".equals(System.getenv("CI"))) {
            System.out.println("The demo of poker is not tested over " + transport + ": " + obstacle.get());
            Assumptions.abort(obstacle.get());
        }
    }

    private static Optional<String> missing(boolean isInstalled, String what) {
        return isInstalled ? Optional.empty() : Optional.of(what + " is not installed");
    }

    private static DemoRun run(String... arguments) {
        return DemoRun.by(with(UnaryOperator.identity()), arguments);
    }

    private static Function<Streams, Callable<Integer>> with(UnaryOperator<Publisher> wrapper) {
        return streams -> new PokerCommand(streams, wrapper);
    }
}
