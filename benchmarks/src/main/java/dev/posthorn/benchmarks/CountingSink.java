package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Where every contender delivers: touches every byte, and remembers when each event came.
 *
 * <p>Events are told apart by their sequence, 0 to count - 1, which counts through the whole log; the key follows from
 * it, see {@link Backlog}. So one write into an array per event is enough to prove afterwards that each came once and in
 * the order of its key. Thread-safe.
 */
final class CountingSink implements Consumer<Event> {

    /** Which place among all deliveries an event had; 0 means it did not come. */
    private final int[] place;

    private final AtomicInteger delivered = new AtomicInteger();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder checksum = new LongAdder();
    private final CountDownLatch complete = new CountDownLatch(1);
    private volatile long firstAt;
    private volatile long lastAt;

    CountingSink(int count) {
        this.place = new int[count];
    }

    @Override
    public void accept(Event event) {
        int number = delivered.incrementAndGet();
        if (number == 1) {
            firstAt = System.nanoTime();
        }
        place[(int) event.sequence().orElseThrow()] = number;
        ByteBuffer payload = event.payload();
        bytes.add(payload.remaining());
        checksum.add(touch(payload));
        if (number == place.length) {
            lastAt = System.nanoTime();
            complete.countDown();
        }
    }

    private static long touch(ByteBuffer payload) {
        long sum = 0;
        while (payload.remaining() >= Long.BYTES) {
            sum += payload.getLong();
        }
        while (payload.hasRemaining()) {
            sum += payload.get();
        }
        return sum;
    }

    /** Waits until as many events have come as there are. */
    void awaitAll(long seconds) {
        try {
            if (!complete.await(seconds, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "Only " + delivered.get() + " of " + place.length + " events came within " + seconds + " s.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for events", e);
        }
    }

    long nanosFirstToLast() {
        return lastAt - firstAt;
    }

    long firstAt() {
        return firstAt;
    }

    long checksum() {
        return checksum.sum();
    }

    long bytes() {
        return bytes.sum();
    }

    /** Fails unless each event came exactly once, and the events of each key in their order. */
    void verify(String contender, int keys) {
        if (delivered.get() != place.length) {
            throw new IllegalStateException(
                    contender + " delivered " + delivered.get() + " events instead of " + place.length + ".");
        }
        for (int i = 0; i < place.length; i++) {
            if (place[i] == 0) {
                throw new IllegalStateException(contender + " lost event " + i + ".");
            }
            if (i >= keys && place[i] < place[i - keys]) {
                throw new IllegalStateException(
                        contender + " delivered event " + i + " before " + (i - keys) + " of the same key.");
            }
        }
    }
}
