package dev.posthorn.demo;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** When enough is committed: after so many events, after so long, or when someone says stop. Thread-safe. */
final class Goal {

    private final @Nullable Long events;
    private final @Nullable Duration time;
    private final AtomicLong reserved = new AtomicLong();
    private volatile long started = System.nanoTime();
    private volatile boolean stopped;

    Goal(@Nullable Long events, @Nullable Duration time) {
        this.events = events;
        this.time = time;
    }

    void start() {
        started = System.nanoTime();
    }

    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Whether another transaction with this many events is wanted; who does not commit it gives them back. */
    boolean reserve(int count) {
        if (stopped || (time != null && elapsed().compareTo(time) >= 0)) {
            return false;
        }
        if (reserved.getAndAdd(count) < (events == null ? Long.MAX_VALUE / 2 : events)) {
            return true;
        }
        giveBack(count);
        return false;
    }

    void giveBack(int count) {
        reserved.addAndGet(-count);
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    /** How far it is, 0 to 1; empty if there is no end in sight. */
    OptionalDouble progress(long committed) {
        double share = -1;
        if (events != null) {
            share = (double) committed / events;
        }
        if (time != null) {
            share = Math.max(share, (double) elapsed().toNanos() / time.toNanos());
        }
        return share < 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.min(1, share));
    }

    @Override
    public String toString() {
        if (events == null && time == null) {
            return "until Ctrl-C";
        }
        String byEvents = events == null ? "" : Numbers.count(events) + " events";
        String byTime = time == null ? "" : Numbers.clock(time);
        return byEvents.isEmpty() ? byTime : byTime.isEmpty() ? byEvents : byEvents + " or " + byTime;
    }
}
