package dev.posthorn.demo;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a run through its phases, while the display follows and arrivals are written. */
final class Course {

    private static final Logger LOG = LoggerFactory.getLogger(Course.class);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(200);
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final int TICKS_PER_WRITE = 3;

    private final Display display;
    private final Gauges gauges;
    private final Arrivals arrivals;
    private final long begin = System.nanoTime();
    private long nextTick = begin;
    private int ticks;

    private interface Condition {
        boolean holds();
    }

    Course(Display display, Gauges gauges, Arrivals arrivals) {
        this.display = display;
        this.gauges = gauges;
        this.arrivals = arrivals;
    }

    /** Runs each of these on a thread of its own until all have ended. */
    void produce(List<Runnable> producers) {
        List<Thread> threads = new ArrayList<>();
        for (Runnable producer : producers) {
            Thread thread = new Thread(producer, "demo-producer-" + (threads.size() + 1));
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        follow("running", () -> threads.stream().noneMatch(Thread::isAlive));
    }

    void drain(Drain drain) {
        follow("draining", drain::isOver);
        display.show(gauges.read("drained"));
    }

    /** From the first transaction to the last arrival. */
    double seconds() {
        return Math.max(0.001, (arrivals.lastAt() - begin) / 1e9);
    }

    private void follow(String phase, Condition until) {
        while (!until.holds()) {
            if (System.nanoTime() - nextTick >= 0) {
                nextTick = System.nanoTime() + TICK;
                display.show(gauges.read(phase));
                if (++ticks % TICKS_PER_WRITE == 0) {
                    write();
                }
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private void write() {
        try {
            arrivals.write();
        } catch (SQLException unavailable) {
            LOG.warn("Arrivals are written a moment later: {}", unavailable.toString());
        }
    }
}
