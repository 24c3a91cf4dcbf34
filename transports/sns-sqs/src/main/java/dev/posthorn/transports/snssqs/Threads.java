package dev.posthorn.transports.snssqs;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Daemon threads with names. */
final class Threads {

    private Threads() {}

    static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** So many at most, while there is work. */
    static ExecutorService fleeting(String name, int most) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                most, most, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> daemon(name, work));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    static ScheduledExecutorService timed(String name) {
        return Executors.newSingleThreadScheduledExecutor(work -> daemon(name, work));
    }
}
