package dev.posthorn.codecs;

import java.time.Duration;

/** How large the sized tests are: the property {@code posthorn.size}. */
final class TestSize {

    private static final String SIZE = System.getProperty("posthorn.size", "normal");

    private TestSize() {}

    static int rounds() {
        return choose(200, 1_500, 100_000);
    }

    static Duration fuzzing() {
        return Duration.ofSeconds(choose(1, 60, 600));
    }

    static long seed() {
        return Long.getLong("posthorn.seed", System.nanoTime());
    }

    private static int choose(int fast, int normal, int soak) {
        return switch (SIZE) {
            case "fast" -> fast;
            case "normal" -> normal;
            case "soak" -> soak;
            default -> throw new IllegalArgumentException("posthorn.size must be fast, normal or soak, not " + SIZE);
        };
    }
}
