package dev.posthorn.transport;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** How long to wait after a failed attempt, and when to give up. Immutable. */
public final class RetryPolicy {

    /** The pauses of {@link #ladder()}; one more than it comes to, for whoever wants more attempts. */
    public static final List<Duration> LADDER = List.of(
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

    /** The pause after the n-th attempt, without jitter. */
    private interface Pause {
        Duration after(int attempts);
    }

    private final String name;
    private final int maxAttempts;
    private final double jitter;
    private final Pause pause;

    private RetryPolicy(String name, int maxAttempts, double jitter, Pause pause) {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("max attempts must be at least 1, but is " + maxAttempts);
        }
        this.name = name;
        this.maxAttempts = maxAttempts;
        this.jitter = jitter;
        this.pause = pause;
    }

    /** 1 s, 5 s, 30 s, 2 min, 10 min, 1 h, then 2, 4, 8 h: the nine pauses between 10 attempts. The default. */
    public static RetryPolicy ladder() {
        return ladder(10, LADDER);
    }

    /** The given pauses one after the other; the last one repeats. */
    public static RetryPolicy ladder(int maxAttempts, List<Duration> pauses) {
        List<Duration> steps = List.copyOf(pauses);
        return new RetryPolicy("ladder", maxAttempts, 0, attempts -> steps.get(Math.min(attempts, steps.size()) - 1));
    }

    /** min(2^n · 5 s, 15 min), so first 10 s, with ±20 % jitter; 10 attempts. */
    public static RetryPolicy exponential() {
        return exponential(10, Duration.ofSeconds(5), Duration.ofMinutes(15), 0.2);
    }

    /** min(2^n · base, max) with jitter as a share of the pause. */
    public static RetryPolicy exponential(int maxAttempts, Duration base, Duration max, double jitter) {
        return new RetryPolicy("exponential", maxAttempts, jitter, attempts -> {
            Duration pause = attempts < 40 ? base.multipliedBy(1L << attempts) : max;
            return pause.compareTo(max) < 0 ? pause : max;
        });
    }

    /** 500 ms each time; 25 attempts. */
    public static RetryPolicy fixed() {
        return fixed(25, Duration.ofMillis(500));
    }

    /** The same pause each time. */
    public static RetryPolicy fixed(int maxAttempts, Duration pause) {
        return new RetryPolicy("fixed", maxAttempts, 0, attempts -> pause);
    }

    /** One of the named policies: ladder, exponential, fixed. */
    public static RetryPolicy named(String name) {
        return switch (name) {
            case "ladder" -> ladder();
            case "exponential" -> exponential();
            case "fixed" -> fixed();
            default ->
                throw new IllegalArgumentException(
                        "There is no retry policy \"" + name + "\"; use ladder, exponential or fixed.");
        };
    }

    /** The pause before the next attempt after this many have failed, or empty to give up. */
    public Optional<Duration> pauseAfter(int attempts, RandomGenerator random) {
        if (attempts >= maxAttempts) {
            return Optional.empty();
        }
        Duration plain = pause.after(attempts);
        if (jitter == 0) {
            return Optional.of(plain);
        }
        double factor = 1 - jitter + 2 * jitter * random.nextDouble();
        return Optional.of(Duration.ofNanos((long) (plain.toNanos() * factor)));
    }

    public int maxAttempts() {
        return maxAttempts;
    }

    @Override
    public String toString() {
        return name + " (" + maxAttempts + " attempts)";
    }
}
