package dev.posthorn.event;

import java.time.Clock;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes time-ordered ids (RFC 9562, version 7): 48 bits of milliseconds, then a counter within the millisecond, then
 * randomness.
 *
 * <p>Ids of one instance never go backwards, also when its clock does. Thread-safe.
 */
public final class UuidV7 implements Supplier<UUID> {

    private static final int COUNTER_BITS = 12;
    private static final long COUNTER_LIMIT = 1L << COUNTER_BITS;
    private static final UuidV7 SYSTEM = new UuidV7(Clock.systemUTC(), null);

    private final Clock clock;
    private final @Nullable Random random;
    /** Milliseconds and counter in one number, so that "never backwards" is one comparison. */
    private long last;

    /** The generator that {@link Event#of} uses. */
    public static UuidV7 system() {
        return SYSTEM;
    }

    /** A repeatable generator for tests: the same clock and seed give the same ids. */
    public static UuidV7 seeded(Clock clock, long seed) {
        return new UuidV7(clock, new Random(seed));
    }

    private UuidV7(Clock clock, @Nullable Random random) {
        this.clock = clock;
        this.random = random;
    }

    @Override
    public UUID get() {
        long stamp = nextStamp();
        long millis = stamp >>> COUNTER_BITS;
        long counter = stamp & (COUNTER_LIMIT - 1);
        long high = (millis << 16) | 0x7000L | counter;
        long low = (nextRandom() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    private synchronized long nextStamp() {
        long now = clock.millis() << COUNTER_BITS;
        last = Math.max(now, last + 1);
        return last;
    }

    private long nextRandom() {
        Random seeded = random;
        return seeded == null ? ThreadLocalRandom.current().nextLong() : seeded.nextLong();
    }
}
