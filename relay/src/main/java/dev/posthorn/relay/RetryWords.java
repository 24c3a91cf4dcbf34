package dev.posthorn.relay;

import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A retry policy as it is written in a configuration. What is left out is as the policy of that name has it.
 *
 * @param policy ladder, exponential or fixed
 * @param maxAttempts attempts before it is given up
 * @param pauses of ladder; empty for those it has by itself
 * @param base of exponential
 * @param max of exponential
 * @param pause of fixed
 */
public record RetryWords(
        String policy,
        Optional<Integer> maxAttempts,
        List<Duration> pauses,
        Optional<Duration> base,
        Optional<Duration> max,
        Optional<Duration> pause) {

    public static final String LADDER = "ladder";
    public static final String EXPONENTIAL = "exponential";
    public static final String FIXED = "fixed";

    private static final double JITTER = 0.2;
    private static final Duration BASE = Duration.ofSeconds(5);
    private static final Duration MAX = Duration.ofMinutes(15);
    private static final Duration PAUSE = Duration.ofMillis(500);

    public RetryWords {
        pauses = List.copyOf(pauses);
    }

    /** Throws if there is no policy of this name, or none with these numbers. */
    public RetryPolicy read() {
        RetryPolicy standard = RetryPolicy.named(policy);
        int attempts = maxAttempts.orElse(standard.maxAttempts());
        return switch (policy) {
            case EXPONENTIAL -> RetryPolicy.exponential(attempts, base.orElse(BASE), max.orElse(MAX), JITTER);
            case FIXED -> RetryPolicy.fixed(attempts, pause.orElse(PAUSE));
            default -> RetryPolicy.ladder(attempts, pauses.isEmpty() ? RetryPolicy.LADDER : pauses);
        };
    }
}
