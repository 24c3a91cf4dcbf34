package dev.posthorn.testkit.users;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until a test moves it on; it begins with the real time. What waits for a time (retries of publishes
 * and of handlers, events with a deliver-after time) goes by it. Thread-safe.
 */
public final class TestClock extends Clock {

    /** Told when time has moved, before {@link #advance} returns. */
    interface Listener {
        void advanced(Duration by);
    }

    private final ZoneId zone;
    private final Instant start;
    private final Listener listener;
    private volatile Duration passed = Duration.ZERO;

    TestClock(Instant start, Listener listener) {
        this.zone = ZoneOffset.UTC;
        this.start = start;
        this.listener = listener;
    }

    /** Moves on. What has become due by that is done at the next turn of the relay, or at once if it runs. */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("Time does not go back, but was asked to by " + by);
        }
        passed = passed.plus(by);
        listener.advanced(by);
    }

    /** How far it was moved on in all. */
    public Duration passed() {
        return passed;
    }

    @Override
    public Instant instant() {
        return start.plus(passed);
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return Clock.fixed(instant(), other);
    }
}
