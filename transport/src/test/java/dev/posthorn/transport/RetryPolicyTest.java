package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private final Random random = new Random(7);

    @Test
    void theLadderClimbsFromASecondToHoursAndGivesUpAfterTenAttempts() {
        assertThat(pauses(RetryPolicy.named("ladder")))
                .containsExactly(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(10),
                        Duration.ofHours(1),
                        Duration.ofHours(2),
                        Duration.ofHours(4),
                        Duration.ofHours(8));
    }

    @Test
    void aLadderOfOnesOwnRepeatsItsLastStep() {
        List<Duration> steps = List.of(Duration.ofSeconds(1), Duration.ofSeconds(3));

        assertThat(pauses(RetryPolicy.ladder(5, steps)))
                .containsExactly(
                        Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(3), Duration.ofSeconds(3));
    }

    @Test
    void theExponentialPolicyDoublesFromTenSecondsToAQuarterOfAnHourWithinAFifth() {
        List<Duration> pauses = pauses(RetryPolicy.named("exponential"));

        int[] seconds = {10, 20, 40, 80, 160, 320, 640, 900, 900};
        assertThat(pauses).hasSize(seconds.length);
        for (int i = 0; i < seconds.length; i++) {
            assertThat(pauses.get(i))
                    .isBetween(Duration.ofMillis(800L * seconds[i]), Duration.ofMillis(1_200L * seconds[i]));
        }
        assertThat(pauses.get(0)).isNotEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void theFixedPolicyWaitsHalfASecondTwentyFourTimes() {
        assertThat(pauses(RetryPolicy.named("fixed"))).hasSize(24).containsOnly(Duration.ofMillis(500));
    }

    @Test
    void theExponentialPolicyDoesNotOverflowHoweverOftenItTries() {
        RetryPolicy policy = RetryPolicy.exponential(1_000, Duration.ofSeconds(5), Duration.ofMinutes(15), 0);

        assertThat(pauses(policy)).hasSize(999).allMatch(pause -> pause.toSeconds() >= 10 && pause.toMinutes() <= 15);
    }

    @Test
    void soManyAttemptsAreExactlySoManyPublishCalls() {
        for (int attempts = 1; attempts <= 10; attempts++) {
            assertThat(pauses(RetryPolicy.fixed(attempts, Duration.ZERO))).hasSize(attempts - 1);
        }
    }

    @Test
    void aPolicyThatNeverTriesIsRefused() {
        assertThatThrownBy(() -> RetryPolicy.fixed(0, Duration.ZERO)).hasMessageContaining("at least 1");
    }

    @Test
    void anUnknownNameIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> RetryPolicy.named("hourly"))
                .hasMessageContaining("\"hourly\"")
                .hasMessageContaining("ladder, exponential or fixed");
    }

    private List<Duration> pauses(RetryPolicy policy) {
        List<Duration> pauses = new ArrayList<>();
        for (int attempts = 1; ; attempts++) {
            Optional<Duration> pause = policy.pauseAfter(attempts, random);
            if (pause.isEmpty()) {
                assertThat(attempts).isEqualTo(policy.maxAttempts());
                return pauses;
            }
            pauses.add(pause.get());
        }
    }
}
