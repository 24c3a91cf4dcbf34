package dev.posthorn.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits until something becomes true, and fails loudly if it does not in time. */
public final class Await {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Await() {}

    /** Returns as soon as the condition holds; fails after 30 seconds with what was waited for. */
    public static void until(String what, BooleanSupplier condition) {
        until(() -> what, condition);
    }

    /** The same, with a description that is made when it fails, so that it can tell how far things got. */
    public static void until(Supplier<String> what, BooleanSupplier condition) {
        within(PATIENCE, what, condition);
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
