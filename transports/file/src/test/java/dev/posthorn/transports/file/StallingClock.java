package dev.posthorn.transports.file;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.locks.ReentrantLock;

/** A clock that keeps the writer waiting while the test holds its lock: a slow disk, without one. */
final class StallingClock extends Clock {

    static final Instant NOW = Instant.parse("2026-05-01T12:00:00.123456Z");

    private final ReentrantLock lock = new ReentrantLock();

    /** Answers how to go on; to be called by the same thread. */
    Runnable stall() {
        lock.lock();
        return lock::unlock;
    }

    @Override
    public Instant instant() {
        lock.lock();
        try {
            return NOW;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
