package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopTest {

    @Test
    void aWakeUpCutsTheLongestWaitShort() throws InterruptedException {
        Semaphore turns = new Semaphore(0);
        try (Loop loop = new Loop("test", () -> {
                    turns.release();
                    return Duration.ofHours(1);
                })
                .start()) {
            assertThat(turns.tryAcquire(10, TimeUnit.SECONDS)).isTrue();

            loop.wake();

            assertThat(turns.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aWakeUpDuringATurnIsNotLost() throws InterruptedException {
        Semaphore turns = new Semaphore(0);
        CountDownLatch woken = new CountDownLatch(1);
        AtomicInteger count = new AtomicInteger();
        Loop loop = new Loop("test", () -> {
            turns.release();
            if (count.incrementAndGet() == 1) {
                awaitQuietly(woken);
            }
            return Duration.ofHours(1);
        });
        try (loop) {
            loop.start();
            assertThat(turns.tryAcquire(10, TimeUnit.SECONDS)).isTrue();

            loop.wake();
            woken.countDown();

            assertThat(turns.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aTurnThatNeverEndsIsOverdueAndAWaitIsNot() throws InterruptedException {
        Semaphore turns = new Semaphore(0);
        CountDownLatch stuck = new CountDownLatch(1);
        AtomicInteger count = new AtomicInteger();
        Loop loop = new Loop("test", () -> {
            turns.release();
            if (count.incrementAndGet() == 2) {
                awaitQuietly(stuck);
            }
            return Duration.ofHours(1);
        });
        try (loop) {
            loop.start();
            assertThat(turns.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            awaitOverdue(loop, false);

            loop.wake();
            assertThat(turns.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            awaitOverdue(loop, true);

            stuck.countDown();
            awaitOverdue(loop, false);
        }
    }

    private static void awaitOverdue(Loop loop, boolean wanted) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (loop.overdue().isZero() == wanted) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void anErrorDoesNotEndTheLoop() throws InterruptedException {
        Semaphore turns = new Semaphore(0);
        try (Loop loop = new Loop("test", () -> {
                    turns.release();
                    throw new StoreException("the database is away", null);
                })
                .start()) {
            assertThat(turns.tryAcquire(3, 10, TimeUnit.SECONDS)).isTrue();
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void noThrowableEndsTheLoop() throws InterruptedException {
        List<Throwable> faults = List.of(
                new IllegalStateException("no route to a database"),
                new OutOfMemoryError("Java heap space"),
                new java.io.IOException("sneaky"),
                new Unspeakable());
        Semaphore turns = new Semaphore(0);
        AtomicInteger turn = new AtomicInteger();
        try (Loop loop = new Loop("test", () -> {
                    turns.release();
                    SimulatedFault.raise(faults.get(turn.getAndIncrement() % faults.size()));
                    return Duration.ZERO;
                })
                .start()) {
            assertThat(turns.tryAcquire(faults.size() + 1, 30, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(loop).isNotNull();
        }
    }

    /** Throws again when it is logged. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("unspeakable");
        }
    }

    @Test
    void anInterruptThatATurnLeavesBehindNeitherSpinsNorReachesTheNextTurn() throws InterruptedException {
        Semaphore turns = new Semaphore(0);
        AtomicInteger interrupted = new AtomicInteger();
        try (Loop loop = new Loop("test", () -> {
                    if (Thread.currentThread().isInterrupted()) {
                        interrupted.incrementAndGet();
                    }
                    turns.release();
                    Thread.currentThread().interrupt();
                    return Duration.ofHours(1);
                })
                .start()) {
            assertThat(turns.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            awaitWaiting();

            loop.wake();

            assertThat(turns.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            awaitWaiting();
            assertThat(turns.availablePermits()).isZero();
            assertThat(interrupted).hasValue(0);
        }
    }

    /** Its thread is parked; one that spins never is for long. */
    private static void awaitWaiting() {
        Thread thread = Thread.getAllStackTraces().keySet().stream()
                .filter(one -> one.getName().equals("test") && one.isAlive())
                .findFirst()
                .orElseThrow();
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        int parked = 0;
        while (parked < 1_000) {
            assertThat(System.nanoTime()).isLessThan(end);
            parked = thread.getState() == Thread.State.TIMED_WAITING ? parked + 1 : 0;
            Thread.onSpinWait();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
