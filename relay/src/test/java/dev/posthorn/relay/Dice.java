package dev.posthorn.relay;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** All chance of one simulated run, from its seed. */
final class Dice {

    private final SplittableRandom random;

    Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    double share() {
        return random.nextDouble();
    }

    /** Both ends included. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    RandomGenerator generator() {
        return random;
    }
}
