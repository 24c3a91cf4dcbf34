package dev.posthorn.systemtests;

import java.util.Random;

/** Where a test's chance comes from: printed, and taken from {@code -Dposthorn.seed} to run the same again. */
final class Seed {

    private Seed() {}

    static Random random(String test) {
        long seed = Long.getLong("posthorn.seed", System.nanoTime());
        System.out.println(test + ": seed " + seed + " (again with -Dposthorn.seed=" + seed + ")");
        return new Random(seed);
    }
}
