package dev.posthorn.spring;

import dev.posthorn.spring.PosthornProperties.RetryProperties;
import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Retry policies from properties. */
final class Retries {

    private static final int ATTEMPTS = 10;
    private static final int FIXED_ATTEMPTS = 25;
    private static final double JITTER = 0.2;
    private static final List<Duration> LADDER = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(4),
            Duration.ofHours(8),
            Duration.ofHours(16));

    private Retries() {}

    /** The policy, or the standard one where nothing is said. */
    static RetryPolicy of(RetryProperties retry, RetryPolicy standard) {
        if (retry.equals(RetryProperties.standard())) {
            return standard;
        }
        String policy = retry.policy() == null ? "ladder" : retry.policy();
        return switch (policy) {
            case "ladder" ->
                RetryPolicy.ladder(
                        or(retry.maxAttempts(), ATTEMPTS), retry.pauses().isEmpty() ? LADDER : retry.pauses());
            case "exponential" ->
                RetryPolicy.exponential(
                        or(retry.maxAttempts(), ATTEMPTS),
                        or(retry.base(), Duration.ofSeconds(5)),
                        or(retry.max(), Duration.ofMinutes(15)),
                        JITTER);
            case "fixed" ->
                RetryPolicy.fixed(or(retry.maxAttempts(), FIXED_ATTEMPTS), or(retry.pause(), Duration.ofMillis(500)));
            default -> RetryPolicy.named(policy);
        };
    }

    private static int or(@Nullable Integer given, int standard) {
        return given == null ? standard : given;
    }

    private static Duration or(@Nullable Duration given, Duration standard) {
        return given == null ? standard : given;
    }
}
