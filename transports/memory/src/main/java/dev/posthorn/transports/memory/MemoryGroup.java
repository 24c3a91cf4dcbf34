package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Subscriber;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All members of one subscriber: a bounded queue, and who of them has what.
 *
 * <p>Two lines of events stand here. In {@code queue} is what was accepted; together with what members have in hand it
 * never exceeds the capacity. In {@code waiting} stands what found the queue full: it is not settled, so whoever
 * publishes is held back by its own limit of events in flight, and this line can not grow beyond that. Both are first
 * in, first out, and nothing enters the queue while something waits, so the order of a publisher is kept.
 *
 * <p>A key stays with the member that has events of it until those are settled, so its order holds among members too.
 *
 * <p>Thread-safe. Members' handouts are called with the lock held; they never call back with theirs held.
 */
final class MemoryGroup {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryGroup.class);

    private final Subscriber subscriber;
    private final int capacity;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<MemoryArrival> queue = new ArrayDeque<>();
    private final PriorityQueue<MemoryArrival> returned =
            new PriorityQueue<>(Comparator.comparingLong(arrival -> arrival.number));
    private final Deque<Ticket> waiting = new ArrayDeque<>();
    private final List<MemorySubscription> members = new ArrayList<>();
    private final Map<String, Held> heldKeys = new HashMap<>();
    private long accepted;
    private int unhandled;
    private boolean closed;
    private volatile boolean crowded;

    /** Which member has events of a key, and how many. */
    private static final class Held {
        private final MemorySubscription member;
        private int count;

        Held(MemorySubscription member) {
            this.member = member;
        }
    }

    MemoryGroup(Subscriber subscriber, int capacity) {
        this.subscriber = subscriber;
        this.capacity = capacity;
    }

    Subscriber subscriber() {
        return subscriber;
    }

    int unhandled() {
        lock.lock();
        try {
            return unhandled;
        } finally {
            lock.unlock();
        }
    }

    /** False if the group has ended. */
    boolean join(MemorySubscription member) {
        lock.lock();
        try {
            if (!closed) {
                members.add(member);
                handOut();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Queues these in order, or lets them wait; false if the group has ended. Never blocks for room. */
    boolean offer(List<Ticket> tickets) {
        int admitted;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            admitted = waiting.isEmpty() ? Math.min(capacity - unhandled, tickets.size()) : 0;
            for (int i = 0; i < admitted; i++) {
                enqueue(tickets.get(i).event());
            }
            for (int i = admitted; i < tickets.size(); i++) {
                waiting.add(tickets.get(i));
            }
            crowded = !waiting.isEmpty();
            handOut();
        } finally {
            lock.unlock();
        }
        for (int i = 0; i < admitted; i++) {
            tickets.get(i).arrived();
        }
        return true;
    }

    private void enqueue(Event event) {
        queue.add(new MemoryArrival(this, event, accepted++));
        unhandled++;
    }

    /** Gives members what they have room for, in order; stops at the first that nobody may have now. */
    private void handOut() {
        while (true) {
            MemoryArrival next = returned.isEmpty() ? queue.peekFirst() : returned.peek();
            MemorySubscription member = next == null ? null : memberFor(next.event);
            if (next == null || member == null) {
                return;
            }
            if (returned.isEmpty()) {
                queue.removeFirst();
            } else {
                returned.remove();
            }
            next.event.key().ifPresent(key -> heldKeys.computeIfAbsent(key, any -> new Held(member)).count++);
            next.given(member);
            member.take(next);
        }
    }

    private @Nullable MemorySubscription memberFor(Event event) {
        Held held = event.key().map(heldKeys::get).orElse(null);
        if (held != null) {
            return held.member.room() > 0 ? held.member : null;
        }
        return members.stream()
                .filter(member -> member.room() > 0)
                .max(Comparator.comparingInt(MemorySubscription::room))
                .orElse(null);
    }

    /** A member is done with it. */
    void settled(MemoryArrival arrival) {
        List<Ticket> admitted;
        lock.lock();
        try {
            unhandled--;
            release(arrival);
            admitted = admitWaiting();
            handOut();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        admitted.forEach(Ticket::arrived);
    }

    /** A member leaves without having handled it. */
    void giveBack(MemoryArrival arrival) {
        lock.lock();
        try {
            release(arrival);
            returned.add(arrival);
            handOut();
        } finally {
            lock.unlock();
        }
    }

    private void release(MemoryArrival arrival) {
        arrival.event.key().ifPresent(key -> {
            Held held = heldKeys.get(key);
            if (held != null && --held.count == 0) {
                heldKeys.remove(key);
            }
        });
        arrival.takenFrom();
    }

    private List<Ticket> admitWaiting() {
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Ticket> admitted = new ArrayList<>();
        while (unhandled < capacity && !waiting.isEmpty()) {
            Ticket ticket = waiting.remove();
            if (!ticket.isGivenUp()) {
                enqueue(ticket.event());
                admitted.add(ticket);
            }
        }
        crowded = !waiting.isEmpty();
        return admitted;
    }

    /** Whether nobody would be left if this member went. */
    boolean isLast(MemorySubscription member) {
        lock.lock();
        try {
            return members.size() == 1 && members.contains(member);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything accepted is handled, or until then. */
    void awaitHandled(long deadline) {
        lock.lock();
        try {
            long left = deadline - System.nanoTime();
            while (unhandled > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException stopWaiting) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** The member has ended; true if it was the last one, and then what is left is dropped. */
    boolean left(MemorySubscription member) {
        lock.lock();
        try {
            members.remove(member);
            if (members.isEmpty() && unhandled > 0) {
                LOG.warn(
                        "Subscriber {} was closed with {} events not handled; they are dropped.",
                        subscriber.name(),
                        unhandled);
            }
            handOut();
            return members.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing new from here on. */
    void stop(Consumer<Ticket> onWaiting) {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        takeWaiting(ticket -> true).forEach(onWaiting);
    }

    List<MemorySubscription> members() {
        lock.lock();
        try {
            return List.copyOf(members);
        } finally {
            lock.unlock();
        }
    }

    /** Takes those out of the waiting line and settles them as unavailable. */
    void giveUpWaiting(Predicate<Ticket> which, String reason) {
        if (crowded) {
            takeWaiting(which).forEach(ticket -> ticket.giveUp(reason));
        }
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
