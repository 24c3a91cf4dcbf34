package dev.posthorn.postgres;

/** How large the sized tests are; {@code ./test --fast}, {@code ./test} or {@code ./test --soak} decides. */
final class TestSize {

    private static final String SIZE = System.getProperty("posthorn.size", "normal");

    private TestSize() {}

    static int of(int fast, int normal, int soak) {
        return switch (SIZE) {
            case "fast" -> fast;
            case "normal" -> normal;
            case "soak" -> soak;
            default -> throw new IllegalArgumentException("posthorn.size must be fast, normal or soak, not " + SIZE);
        };
    }
}
