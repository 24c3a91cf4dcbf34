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
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Waited " + PATIENCE.toSeconds() + " s in vain: " + what.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
