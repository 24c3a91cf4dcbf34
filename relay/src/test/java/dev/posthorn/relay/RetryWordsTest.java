package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryWordsTest {

    private static RetryWords of(String policy) {
        return new RetryWords(
                policy, Optional.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static Optional<Duration> pause(RetryPolicy policy, int attempts) {
        return policy.pauseAfter(attempts, new Random(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ladder", "exponential", "fixed"})
    void whatIsLeftOutIsAsThePolicyOfThatNameHasIt(String name) {
        RetryPolicy named = RetryPolicy.named(name);

        RetryPolicy read = of(name).read();

        assertThat(read).hasToString(named.toString());
        for (int attempts = 1; attempts <= named.maxAttempts(); attempts++) {
            assertThat(pause(read, attempts)).isEqualTo(pause(named, attempts));
        }
    }

    @Test
    void whatIsSaidCounts() {
        Optional<Integer> attempts = Optional.of(3);
        Optional<Duration> none = Optional.empty();
        List<Duration> pauses = List.of(Duration.ofSeconds(7));

        RetryPolicy ladder = new RetryWords("ladder", attempts, pauses, none, none, none).read();
        RetryPolicy fixed =
                new RetryWords("fixed", attempts, List.of(), none, none, Optional.of(Duration.ofSeconds(9))).read();

        assertThat(pause(ladder, 2)).contains(Duration.ofSeconds(7));
        assertThat(pause(ladder, 3)).isEmpty();
        assertThat(pause(fixed, 1)).contains(Duration.ofSeconds(9));
    }

    @Test
    void anExponentialPolicyHasItsBaseAndItsLongestPause() {
        RetryPolicy policy = new RetryWords(
                        "exponential",
                        Optional.empty(),
                        List.of(),
                        Optional.of(Duration.ofSeconds(100)),
                        Optional.of(Duration.ofSeconds(300)),
                        Optional.empty())
                .read();

        assertThat(pause(policy, 1).orElseThrow()).isBetween(Duration.ofSeconds(160), Duration.ofSeconds(240));
        assertThat(pause(policy, 5).orElseThrow()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(6));
    }

    @Test
    void aPolicyThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> of("never").read()).hasMessageContaining("There is no retry policy \"never\"");
    }

    @Test
    void noTwoFreshNamesAreTheSame() {
        assertThat(RelayNames.fresh()).isNotEqualTo(RelayNames.fresh());
    }
}
