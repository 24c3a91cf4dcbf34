package dev.posthorn.testkit;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Waits until something becomes true, and fails loudly if it does not in time. */
public final class Await {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Await() {}

    /** Returns as soon as the condition holds; fails after 30 seconds with what was waited for. */
    public static void until(String what, BooleanSupplier condition) {
        until(() -> what, condition);
    }

    /** The same, with a description that is made when it fails, so that it can tell how far things got. */
    public static void until(Supplier<String> what, BooleanSupplier condition) {
        within(PATIENCE, what, condition);
    }

    /**
     * Returns as soon as a counter has the value. Counters are raised after the commit that they count, so a test that
     * has seen the effect may still be ahead of them.
     */
    public static void untilCounted(long expected, LongSupplier counter) {
        until(
                () -> expected + " were to be counted, but " + counter.getAsLong() + " were",
                () -> counter.getAsLong() == expected);
    }

    /**
     * Returns as soon as nothing remains; fails when what remains has not changed for 30 seconds. For work of unknown
     * size: a slow machine needs longer for it, a stuck one is still told apart.
     */
    public static void untilNoneRemain(String what, Supplier<? extends Set<?>> remaining) {
        Set<?> before = Set.of();
        long changed = System.nanoTime();
        for (Set<?> now = remaining.get(); !now.isEmpty(); now = remaining.get()) {
            if (!now.equals(before)) {
                before = now;
                changed = System.nanoTime();
            } else if (System.nanoTime() - changed > PATIENCE.toNanos()) {
                throw new AssertionError("Nothing moved for " + PATIENCE.toMillis() + " ms: " + what + ", but " + now);
            }
            LockSupport.parkNanos(LONG_PAUSE_NANOS);
        }
    }

    /** The same with a patience of its own; tells how long it took. */
    public static Duration within(Duration patience, Supplier<String> what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new AssertionError("Waited " + patience.toMillis() + " ms in vain: " + what.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
