package dev.posthorn.transports.rabbitmq;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Daemon threads with names. */
final class Threads {

    private Threads() {}

    static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    static ExecutorService single(String name) {
        return Executors.newSingleThreadExecutor(work -> daemon(name, work));
    }

    static ScheduledExecutorService timed(String name) {
        return Executors.newSingleThreadScheduledExecutor(work -> daemon(name, work));
    }
}
