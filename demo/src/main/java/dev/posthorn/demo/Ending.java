package dev.posthorn.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Makes Ctrl-C an orderly end: the producers stop, the backlog drains, the verdict comes, Postgres stops.
 *
 * <p>Java ends when its shutdown hooks have returned, so the hook waits for the run and then ends the process with the
 * run's exit code instead of the signal's.
 */
final class Ending implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Goal goal;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = new Thread(this::waitForTheRun, "demo-ending");
    private volatile int exitCode = 1;

    Ending(Goal goal) {
        this.goal = goal;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void exitCode(int code) {
        exitCode = code;
    }

    @Override
    public void close() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            // Then the hook ends the process.
        }
    }

    private void waitForTheRun() {
        goal.stop();
        try {
            if (over.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                Runtime.getRuntime().halt(exitCode);
            }
        } catch (InterruptedException noMoreTime) {
            Thread.currentThread().interrupt();
        }
    }
}
