package dev.posthorn.relay;

import dev.posthorn.transport.FailureLog;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns one background thread: runs a step again and again, waits as the step says, wakes up early, survives errors. */
public final class Loop implements AutoCloseable {

    /** One turn; returns how long to wait before the next unless woken. */
    public interface Step {
        Duration runOnce();
    }

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    static final Duration LONGEST_TURN = Duration.ofSeconds(30);

    private final Thread thread;
    private final Step step;
    private final FailureLog failures;
    private volatile boolean stopped;
    private volatile boolean woken;
    private @Nullable Duration errorPause;
    /** When the turn under way began; between two turns, when the next one is to begin. */
    private volatile long due = System.nanoTime();

    /** Logs the failures of its step under its own name. */
    public Loop(String name, Step step) {
        this(name, step, new FailureLog(LOG, "Thread " + name, ""));
    }

    /** Logs the failures of its step as a part of these, which several loops may share. */
    public Loop(String name, Step step, FailureLog failures) {
        this.step = step;
        this.failures = failures;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public Loop start() {
        thread.start();
        return this;
    }

    /** Cuts the current wait short, or the next one if it has not begun. */
    public void wake() {
        if (!woken) {
            woken = true;
            LockSupport.unpark(thread);
        }
    }

    /** For how long the turn under way has lasted, or the next one should have begun; nothing if all is in time. */
    Duration overdue() {
        long late = System.nanoTime() - due;
        return late > 0 && !stopped ? Duration.ofNanos(late) : Duration.ZERO;
    }

    private void run() {
        while (!stopped) {
            woken = false;
            due = System.nanoTime();
            long left = turn();
            long until = System.nanoTime() + left;
            due = until;
            while (left > 0 && !woken && !stopped) {
                forgetInterrupt();
                LockSupport.parkNanos(this, left);
                left = until - System.nanoTime();
            }
            forgetInterrupt();
        }
    }

    /** Returns how many nanoseconds to wait. */
    private long turn() {
        try {
            long pause = step.runOnce().toNanos();
            errorPause = null;
            failures.recovered(thread.getName());
            return pause;
        } catch (Throwable failure) {
            Duration before = errorPause;
            Duration pause = before == null ? FIRST_PAUSE : min(before.multipliedBy(2), LONGEST_PAUSE);
            errorPause = pause;
            report(failure);
            return pause.toNanos();
        }
    }

    /** A log that fails too must not end the thread. */
    private void report(Throwable failure) {
        try {
            failures.failed(thread.getName(), failure);
        } catch (Throwable unsaid) {
            // There is nobody left to tell.
        }
    }

    /**
     * An interrupt that a turn left behind would end every wait at once, so that the thread would spin, and would fail the
     * next turn. One that means this loop comes only after it was stopped.
     */
    private void forgetInterrupt() {
        if (!stopped) {
            boolean unused = Thread.interrupted();
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Ends after the current turn; does not wait, and may be called by a turn. */
    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    /** Ends after the current turn and waits for that. */
    @Override
    public void close() {
        close(LONGEST_TURN);
    }

    /** The same with a patience of its own; a turn that outlasts it is interrupted and left to itself. */
    void close(Duration patience) {
        stop();
        try {
            thread.join(Math.max(1, patience.toMillis()));
            if (thread.isAlive()) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
