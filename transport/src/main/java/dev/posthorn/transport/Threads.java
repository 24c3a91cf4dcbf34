package dev.posthorn.transport;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Daemon threads with names. */
public final class Threads {

    private static final long IDLE_SECONDS = 10;

    private Threads() {}

    /** A thread that is not started yet. */
    public static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * At most this many threads, and none once they have been idle for a while. Nobody has to shut it down: connections may
     * still end after their owner did.
     */
    public static ExecutorService fleeting(String name, int most) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> daemon(name, work));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** One thread that runs work at its time. */
    public static ScheduledExecutorService timed(String name) {
        return Executors.newSingleThreadScheduledExecutor(work -> daemon(name, work));
    }
}
