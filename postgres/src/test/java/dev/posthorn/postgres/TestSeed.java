package dev.posthorn.postgres;

import java.util.Random;

/** Where a randomised test takes its chance from; printed, and repeatable with {@code -Dposthorn.seed=…}. */
record TestSeed(long value) {

    static TestSeed next(String of) {
        TestSeed seed = new TestSeed(Long.getLong("posthorn.seed", System.nanoTime() & 0xffff_ffffL));
        System.out.println(of + ": " + seed);
        return seed;
    }

    Random random() {
        return new Random(value);
    }

    @Override
    public String toString() {
        return "-Dposthorn.seed=" + value;
    }
}
