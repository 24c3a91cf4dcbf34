package dev.posthorn.transports.rabbitmq;

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

    /** One thread while there is work; it goes by itself, because connections may still end after their owner did. */
    static ExecutorService fleeting(String name) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> daemon(name, work));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    static ScheduledExecutorService timed(String name) {
        return Executors.newSingleThreadScheduledExecutor(work -> daemon(name, work));
    }
}
