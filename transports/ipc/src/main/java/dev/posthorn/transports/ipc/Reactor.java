package dev.posthorn.transports.ipc;

import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread for any number of sockets. Everything that hangs on it is touched by that thread only, so nothing there has locks.
 *
 * <p>A turn is: what the sockets have, then the tasks that others left, then what is due, then all writing in one go. So what
 * a frozen process finds in its sockets when it goes on is heard before anybody is called silent.
 */
final class Reactor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Reactor.class);
    private static final String TURN = "turn";
    private static final int SCRATCH = 256 << 10;

    /** What a selection key is about. */
    interface Ready {
        void ready() throws IOException;
    }

    private record Due(long at, Runnable task) {}

    private final Selector selector;
    private final Thread thread;
    /** What is read goes through the one, what is written through the other. */
    final ByteBuffer incoming = ByteBuffer.allocateDirect(SCRATCH);

    final ByteBuffer outgoing = ByteBuffer.allocateDirect(SCRATCH);

    private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::at));
    private final Queue<Wire> unwritten = new ArrayDeque<>();

    private final FailureLog failures;
    private volatile boolean ending;

    /** Guards the two below. */
    private final Object lock = new Object();

    private List<Runnable> tasks = new ArrayList<>();
    private boolean stopped;

    Reactor(String name) {
        this.failures = new FailureLog(LOG, "Thread " + name, "transport=ipc");
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.thread = Threads.daemon(name, this::run);
        thread.start();
    }

    Selector selector() {
        return selector;
    }

    /** Runs it on the thread, after what was given before; false if that has ended. */
    boolean execute(Runnable task) {
        synchronized (lock) {
            if (stopped) {
                return false;
            }
            tasks.add(task);
            if (tasks.size() > 1) {
                return true;
            }
        }
        if (Thread.currentThread() != thread) {
            selector.wakeup();
        }
        return true;
    }

    /** The same, and waits for it at most so long; at once if this is the thread. True if it ran. */
    boolean executeAndWait(Runnable task, Duration longest) {
        if (Thread.currentThread() == thread) {
            task.run();
            return true;
        }
        CountDownLatch ran = new CountDownLatch(1);
        boolean taken = execute(() -> {
            try {
                task.run();
            } finally {
                ran.countDown();
            }
        });
        try {
            return taken && ran.await(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** On the thread only. */
    void after(Duration pause, Runnable task) {
        due.add(new Due(System.nanoTime() + pause.toNanos(), task));
    }

    /** Again and again, on the thread; until this is closed. */
    void every(Duration pause, Runnable task) {
        Runnable[] again = new Runnable[1];
        again[0] = () -> {
            try {
                task.run();
            } finally {
                after(pause, again[0]);
            }
        };
        boolean unused = execute(() -> after(pause, again[0]));
    }

    /** It has something to write, at the end of the turn. On the thread only. */
    void unwritten(Wire wire) {
        unwritten.add(wire);
    }

    private void run() {
        while (!ending) {
            try {
                turn();
                failures.recovered(TURN);
            } catch (IOException | RuntimeException | Error failure) { // one that fails must not end all others
                failures.failed(TURN, failure);
            }
        }
        end();
    }

    private void turn() throws IOException {
        long patience = patience();
        if (patience == 0) {
            selector.selectNow(this::ready);
        } else {
            selector.select(this::ready, patience);
        }
        for (Runnable task : taken()) {
            guarded(task);
        }
        long now = System.nanoTime();
        for (Due next = due.peek(); next != null && next.at - now <= 0; next = due.peek()) {
            due.remove();
            guarded(next.task);
        }
        for (Wire wire = unwritten.poll(); wire != null; wire = unwritten.poll()) {
            wire.flush();
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof Ready ready) {
            guarded(() -> {
                try {
                    ready.ready();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
            failures.recovered();
        } catch (RuntimeException | Error failure) {
            failures.failed(failure);
        }
    }

    /** In milliseconds; zero if there is something to do at once. */
    private long patience() {
        synchronized (lock) {
            if (!tasks.isEmpty()) {
                return 0;
            }
        }
        Due next = due.peek();
        return next == null
                ? 1_000
                : Math.min(1_000, Math.max(1, TimeUnit.NANOSECONDS.toMillis(next.at - System.nanoTime())));
    }

    private List<Runnable> taken() {
        synchronized (lock) {
            if (tasks.isEmpty()) {
                return List.of();
            }
            List<Runnable> all = tasks;
            tasks = new ArrayList<>();
            return all;
        }
    }

    private void end() {
        boolean more = true;
        while (more) {
            List<Runnable> last;
            synchronized (lock) {
                last = tasks;
                tasks = new ArrayList<>();
                more = !last.isEmpty();
                stopped = !more;
            }
            last.forEach(this::guarded);
        }
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            LOG.warn("The sockets of {} could not be closed: {}", thread.getName(), e.toString());
        }
    }

    /** Ends the thread after what was given before, and closes every socket. */
    @Override
    public void close() {
        ending = true;
        selector.wakeup();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
