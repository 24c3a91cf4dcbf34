package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscriber of a memory transport: a bounded queue and the one thread that hands its events to the handler.
 *
 * <p>Two lines of events stand here. In {@code queue} is what was accepted; together with what the thread has in hand it
 * never exceeds the capacity. In {@code waiting} stands what found the queue full: it is not settled, so whoever
 * publishes is held back by its own limit of events in flight, and this line can not grow beyond that. Both are first
 * in, first out, and nothing enters the queue while something waits, so the order of a publisher is kept. Each handled
 * event makes room for one that waits.
 *
 * <p>Thread-safe. The handler is called by one thread at a time.
 */
public final class MemorySubscription implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(MemorySubscription.class);

    /** How many events the thread takes at once, to pay for the lock less often. */
    private static final int HANDFUL = 256;

    private final String name;
    private final Consumer<? super Event> handler;
    private final int capacity;
    private final Duration drainTime;
    private final Consumer<MemorySubscription> leave;
    private final Thread thread;

    private final AtomicLong handled = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** These five are written under the lock. */
    private final Deque<Event> queue = new ArrayDeque<>();

    private final Deque<Ticket> waiting = new ArrayDeque<>();
    private int unhandled;
    private boolean closed;
    private volatile boolean crowded;

    private volatile boolean abandoned;

    MemorySubscription(
            String name,
            Consumer<? super Event> handler,
            int capacity,
            Duration drainTime,
            Consumer<MemorySubscription> leave) {
        this.name = name;
        this.handler = handler;
        this.capacity = capacity;
        this.drainTime = drainTime;
        this.leave = leave;
        this.thread = new Thread(this::work, "posthorn-memory-" + name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    public String name() {
        return name;
    }

    /** How many events the handler took without throwing. */
    public long handled() {
        return handled.get();
    }

    /** How many events were dropped for this subscriber because its handler threw. */
    public long failures() {
        return failures.get();
    }

    /** How many accepted events are not handled yet. */
    public int queued() {
        lock.lock();
        try {
            return unhandled;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the subscription: takes nothing new, and waits for the queue to be handled, within the drain time.
     *
     * <p>What is left then is dropped for this subscriber, and logged. Called from the handler, it does not wait.
     */
    @Override
    public void close() {
        leave.accept(this);
        stop(Ticket::arrived);
        awaitEnd(System.nanoTime() + drainTime.toNanos());
    }

    /** Queues these in order, or lets them wait; false if the subscription has ended. Never blocks for room. */
    boolean offer(List<Ticket> tickets) {
        int admitted;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            admitted = waiting.isEmpty() ? Math.min(capacity - unhandled, tickets.size()) : 0;
            for (int i = 0; i < admitted; i++) {
                enqueue(tickets.get(i));
            }
            for (int i = admitted; i < tickets.size(); i++) {
                waiting.add(tickets.get(i));
            }
            crowded = !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
        for (int i = 0; i < admitted; i++) {
            tickets.get(i).arrived();
        }
        return true;
    }

    /** Takes those out of the waiting line and settles them as unavailable. */
    void giveUpWaiting(Predicate<Ticket> which, String reason) {
        if (!crowded) {
            return;
        }
        takeWaiting(which).forEach(ticket -> ticket.giveUp(reason));
    }

    /** Takes nothing new from here on; the thread ends when the queue is empty. */
    void stop(Consumer<Ticket> onWaiting) {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        takeWaiting(ticket -> true).forEach(onWaiting);
    }

    /** Waits for the thread to end, and makes it end if that takes too long. */
    void awaitEnd(long deadline) {
        if (Thread.currentThread() == thread) {
            return;
        }
        boolean interrupted = false;
        try {
            long millis = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
            thread.join(millis);
        } catch (InterruptedException stopWaiting) {
            interrupted = true;
        }
        if (thread.isAlive()) {
            abandoned = true;
            thread.interrupt();
            log.warn("Subscriber {} was closed with {} events not handled; they are dropped.", name, queued());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        List<Event> hand = new ArrayList<>(HANDFUL);
        while (take(hand)) {
            int done = 0;
            for (Event event : hand) {
                if (abandoned) {
                    return;
                }
                handle(event);
                done++;
                if (crowded) {
                    makeRoom(done);
                    done = 0;
                }
            }
            makeRoom(done);
        }
    }

    private void handle(Event event) {
        try {
            handler.accept(event);
            handled.incrementAndGet();
        } catch (Throwable thrown) { // also an Error must not end the subscriber's only thread unnoticed
            failures.incrementAndGet();
            log.error("Subscriber {} failed on {}; it is dropped for this subscriber.", name, event, thrown);
        }
    }

    /** Fills the empty hand, waiting for events; false when the subscription has ended and nothing is left. */
    private boolean take(List<Event> hand) {
        hand.clear();
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            while (!queue.isEmpty() && hand.size() < HANDFUL) {
                hand.add(queue.remove());
            }
        } finally {
            lock.unlock();
        }
        return !hand.isEmpty();
    }

    private void makeRoom(int done) {
        List<Ticket> admitted = List.of();
        lock.lock();
        try {
            unhandled -= done;
            if (!waiting.isEmpty()) {
                admitted = admitWaiting();
            }
            crowded = !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
        admitted.forEach(Ticket::arrived);
    }

    private List<Ticket> admitWaiting() {
        List<Ticket> admitted = new ArrayList<>();
        while (unhandled < capacity && !waiting.isEmpty()) {
            Ticket ticket = waiting.remove();
            if (!ticket.isGivenUp()) {
                enqueue(ticket);
                admitted.add(ticket);
            }
        }
        return admitted;
    }

    private void enqueue(Ticket ticket) {
        if (queue.isEmpty()) {
            changed.signal();
        }
        queue.add(ticket.event());
        unhandled++;
    }

    private List<Ticket> takeWaiting(Predicate<Ticket> which) {
        List<Ticket> taken = new ArrayList<>();
        lock.lock();
        try {
            for (Iterator<Ticket> line = waiting.iterator(); line.hasNext(); ) {
                Ticket ticket = line.next();
                if (which.test(ticket)) {
                    line.remove();
                    taken.add(ticket);
                }
            }
            crowded = !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
        return taken;
    }
}
