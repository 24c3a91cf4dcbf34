package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The figures of each design and the variables by which its operators change them, as a relay of its profile has them. */
class ProfileKnobsTest {

    private static RelayPlan plan(String profile, Map<String, String> variables) {
        Configuration config = Configuration.of(
                ConfigFile.parse("posthorn.yaml", "profile: " + profile + "\ndatabase: {url: postgres://db/x}"),
                variables,
                List.of());
        assertThat(config.faults()).isEmpty();
        return new PlanReader(config).plan();
    }

    private static Optional<Duration> pause(RelayPlan plan, int attempt) {
        return plan.routes().get(0).policy().retry().pauseAfter(attempt, new Random(1));
    }

    @Test
    void transfersHasBatchesOfFiftyTenAtOnceAndTheLadder() {
        RelayPlan plan =
                plan("transfers", Map.of("SNS_ARN", "arn:aws:sns:eu-central-1:123456789012:events-transfers.fifo"));

        assertThat(plan.config().page()).isEqualTo(50);
        assertThat(plan.config().maxInFlight()).isEqualTo(10);
        assertThat(plan.routes().get(0).policy().retry().maxAttempts()).isEqualTo(10);
        assertThat(List.of(1, 2, 3, 4, 5, 6, 9))
                .extracting(attempt -> pause(plan, attempt).orElseThrow())
                .containsExactly(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(10),
                        Duration.ofHours(1),
                        Duration.ofHours(1));
        assertThat(pause(plan, 10)).isEmpty();
    }

    @Test
    void openpawHasSmallBatches() {
        assertThat(plan("openpaw", Map.of("REDIS_URL", "redis://127.0.0.1:6379"))
                        .config()
                        .page())
                .isEqualTo(50);
    }

    @Test
    void holdcoHasItsBackoffAndEveryKnobIsAVariable() {
        RelayPlan standard = plan("holdco", Map.of("RABBITMQ_URL", "amqp://rabbit:5672"));
        assertThat(standard.routes().get(0).policy().retry().maxAttempts()).isEqualTo(10);
        assertThat(pause(standard, 1).orElseThrow()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
        assertThat(pause(standard, 9).orElseThrow()).isBetween(Duration.ofMinutes(12), Duration.ofMinutes(18));

        RelayPlan own = plan(
                "holdco",
                Map.of(
                        "RABBITMQ_URL", "amqp://rabbit:5672",
                        "OUTBOX_BATCH_SIZE", "25",
                        "OUTBOX_POLL_INTERVAL_MS", "750",
                        "OUTBOX_MAX_ATTEMPTS", "4",
                        "OUTBOX_BACKOFF_BASE_MS", "100",
                        "OUTBOX_BACKOFF_MAX_MS", "1000"));
        assertThat(own.config().page()).isEqualTo(25);
        assertThat(own.config().idlePoll()).isEqualTo(Duration.ofMillis(750));
        assertThat(own.routes().get(0).policy().retry().maxAttempts()).isEqualTo(4);
        assertThat(pause(own, 1).orElseThrow()).isBetween(Duration.ofMillis(160), Duration.ofMillis(240));
        assertThat(pause(own, 3).orElseThrow()).isBetween(Duration.ofMillis(640), Duration.ofMillis(960));
    }
}
