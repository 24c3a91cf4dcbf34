package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
