package dev.posthorn.transport;

import dev.posthorn.event.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving side that all brokers share: hands what a transport took in to the subscriber's receiver.
 *
 * <p>A transport {@link #offer}s arrivals in the broker's order, no more than there is {@link #room} for. Of one key one is
 * handed over at a time, in that order; other keys go on beside it, on as many threads as the concurrency says. An event
 * without a key counts as a key of its own. A retry keeps its key's place: it is handed over again after its pause, and what is
 * behind it waits, unless the broker can do better ({@link Arrival#retry}).
 *
 * <p>Thread-safe. The receiver is called without any lock held, and so are arrivals.
 */
public final class Handout implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Handout.class);
    private static final Duration SHORT_WAIT = Duration.ofSeconds(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Subscriber subscriber;
    private final Receiver receiver;
    private final int prefetch;
    private final List<Thread> threads = new ArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition settled = lock.newCondition();
    /** Everything below is touched under the lock only. */
    private final PriorityQueue<Slot> ready = new PriorityQueue<>(Comparator.comparingLong(slot -> slot.number));

    private final Map<String, Deque<Slot>> byKey = new HashMap<>();
    private final PriorityQueue<Slot> paused = new PriorityQueue<>(Comparator.comparingLong(slot -> slot.due));
    private final Set<Slot> unsettled = new LinkedHashSet<>();
    private final Tally tally = new Tally();
    private final FailureLog failures;
    private long arrivals;
    private int handedOver;
    private boolean closed;

    /** Starts the threads; {@code transportPrefetch} counts where the subscriber chose no prefetch of its own. */
    public Handout(Subscriber subscriber, Receiver receiver, int transportPrefetch) {
        this.subscriber = subscriber;
        this.receiver = receiver;
        this.failures = new FailureLog(LOG, "Handling", "subscriber=" + subscriber.name());
        this.prefetch = subscriber.limits().prefetchOr(transportPrefetch);
        for (int i = 0; i < subscriber.limits().concurrency(); i++) {
            Thread thread = Threads.daemon("posthorn-receive-" + subscriber.name() + "-" + i, this::work);
            threads.add(thread);
            thread.start();
        }
    }

    /** How many more may be offered now; never negative. */
    public int room() {
        return locked(() -> Math.max(0, prefetch - unsettled.size()));
    }

    /** Waits until there is room for this many, or the time is over, or this is closed. Tells how much room there is. */
    public int awaitRoom(int wanted, Duration longest) throws InterruptedException {
        long left = longest.toNanos();
        lock.lock();
        try {
            while (prefetch - unsettled.size() < Math.min(wanted, prefetch) && !closed && left > 0) {
                left = settled.awaitNanos(left);
            }
            return Math.max(0, prefetch - unsettled.size());
        } finally {
            lock.unlock();
        }
    }

    /** Decodes a message and offers its event, or what is wrong with it. */
    public void offer(Message message, Arrival arrival) {
        Event event;
        try {
            event = EventMessage.read(message);
        } catch (UndecodableException reason) {
            add(new Slot.OfMessage(this, arrival, message, String.valueOf(reason.getMessage())));
            return;
        }
        offer(event, arrival);
    }

    /** Offers an event. What neither the subscriber nor another member of it wants is done at once. */
    public void offer(Event event, Arrival arrival) {
        if (subscriber.wants(event) || receiver.receivesBeyondFilter(event)) {
            add(new Slot.OfEvent(this, arrival, event));
        } else {
            arrival.done();
        }
    }

    private void add(Slot slot) {
        boolean late;
        lock.lock();
        try {
            late = closed;
            if (!late) {
                slot.number = arrivals++;
                unsettled.add(slot);
                Deque<Slot> ofKey = byKey.computeIfAbsent(slot.key(), any -> new ArrayDeque<>(2));
                ofKey.addLast(slot);
                if (ofKey.size() == 1) {
                    makeReady(slot);
                }
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            slot.arrival.giveBack();
        }
    }

    private void makeReady(Slot slot) {
        ready.add(slot);
        work.signal();
    }

    /**
     * Drops what the broker will bring again by itself, because a connection or a partition was lost. What a receiver has
     * at hand goes on, holds its key until it is settled, and then tells nobody.
     */
    public void forget(Predicate<Arrival> which) {
        forget(which, Duration.ZERO);
    }

    /** The same, but first waits so long for what a receiver has at hand; what is settled within that time is told. */
    public void forget(Predicate<Arrival> which, Duration longest) {
        long left = longest.toNanos();
        lock.lock();
        try {
            while (!dropNotBegun(which).isEmpty() && left > 0) {
                left = settled.awaitNanos(left);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            dropNotBegun(which).forEach(slot -> slot.forgotten = true);
            lock.unlock();
        }
    }

    /** Drops what is not begun, to be brought to another member, and tells how many; what is at hand is settled as ever. */
    public int withdraw(Predicate<Arrival> which) {
        return locked(() -> {
            int before = unsettled.size();
            var unused = dropNotBegun(which);
            return before - unsettled.size();
        });
    }

    /** Tells which of them are at hand. */
    private List<Slot> dropNotBegun(Predicate<Arrival> which) {
        List<Slot> all = unsettled.stream()
                .filter(slot -> !slot.forgotten && which.test(slot.arrival))
                .toList();
        all.stream().filter(slot -> !slot.handedOver).forEach(this::remove);
        return all.stream().filter(slot -> slot.handedOver).toList();
    }

    /** Takes it out of everything, and opens its key. */
    private void remove(Slot slot) {
        unsettled.remove(slot);
        ready.remove(slot);
        paused.remove(slot);
        Deque<Slot> ofKey = byKey.get(slot.key());
        if (ofKey != null) {
            boolean first = ofKey.peekFirst() == slot;
            ofKey.remove(slot);
            Slot next = ofKey.peekFirst();
            if (next == null) {
                byKey.remove(slot.key());
            } else if (first) {
                makeReady(next);
            }
        }
        settled.signalAll();
    }

    private void work() {
        for (Slot.Handed handed = take(); handed != null; handed = take()) {
            try {
                handed.to(receiver);
                failures.recovered();
            } catch (Throwable thrown) { // also an Error must not end the thread and leave its key closed
                failures.failedOn(handed, thrown);
                handed.settle(Verdict.retry(pauseAfter(handed.attempt()), Outcome.reasonOf(thrown)));
            } finally {
                boolean unused = Thread.interrupted(); // a flag that the receiver left set concerns nobody else
            }
        }
    }

    /** 100 ms, doubled with each attempt, 30 s at most. */
    private static Duration pauseAfter(int attempt) {
        return Duration.ofMillis(
                Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(attempt - 1, 20)));
    }

    private Slot.@Nullable Handed take() {
        lock.lock();
        try {
            while (!closed) {
                long now = System.nanoTime();
                for (Slot due = paused.peek(); due != null && due.due - now <= 0; due = paused.peek()) {
                    ready.add(paused.remove());
                }
                Slot next = ready.poll();
                if (next != null) {
                    next.handedOver = true;
                    handedOver++;
                    return next.handed();
                }
                Slot first = paused.peek();
                if (first == null) {
                    work.awaitUninterruptibly();
                    continue;
                }
                try {
                    work.awaitNanos(first.due - now);
                } catch (InterruptedException ignored) { // only closing ends a worker
                    LOG.debug("A worker of subscriber {} was interrupted and continues", subscriber.name());
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** The first verdict on a handed-over slot. */
    void settled(Slot slot, Verdict verdict) {
        if (locked(() -> slot.forgotten)) {
            finish(slot, () -> {});
        } else {
            verdict.reduce(new Consequence(slot, !(verdict instanceof Verdict.Retry retry) || retry.charged()));
        }
    }

    /** What follows from each kind of verdict. */
    private final class Consequence implements Verdict.Cases<Boolean> {

        private final Slot slot;
        private final boolean charged;

        Consequence(Slot slot, boolean charged) {
            this.slot = slot;
            this.charged = charged;
        }

        @Override
        public Boolean done() {
            makeRoom(slot);
            slot.arrival.done();
            return finish(slot, () -> tally.done(slot));
        }

        @Override
        public Boolean retry(Duration after, String reason) {
            LOG.debug("Subscriber {} wants {} again after {}: {}", subscriber.name(), slot, after, reason);
            // Whoever takes it back counts that; a short wait without an attempt is therefore spent here.
            if ((charged || after.compareTo(SHORT_WAIT) >= 0) && slot.arrival.retry(after, reason)) {
                return finish(slot, () -> tally.retried(reason));
            }
            return pause(slot, after, reason, charged);
        }

        @Override
        public Boolean reject(String reason) {
            return reject(reason, Map.of());
        }

        @Override
        public Boolean reject(String reason, Map<String, String> about) {
            LOG.warn("Subscriber {} rejected {}: {}", subscriber.name(), slot, reason);
            makeRoom(slot);
            slot.arrival.reject(reason, about);
            return finish(slot, () -> tally.rejected(slot, reason));
        }
    }

    /** First of all: as soon as the arrival knows that it is settled, the transport may offer another. */
    private void makeRoom(Slot slot) {
        locked(() -> unsettled.remove(slot));
    }

    private boolean finish(Slot slot, Runnable count) {
        return locked(() -> {
            handedOver--;
            count.run();
            remove(slot);
            return true;
        });
    }

    private boolean pause(Slot slot, Duration after, String reason, boolean charged) {
        boolean giveBack = locked(() -> {
            handedOver--;
            tally.retried(reason);
            if (slot.forgotten || closed) {
                remove(slot);
                return !slot.forgotten;
            }
            slot.retries += charged ? 1 : 0;
            slot.handedOver = false;
            slot.due = System.nanoTime() + after.toNanos();
            paused.add(slot);
            work.signalAll();
            settled.signalAll();
            return false;
        });
        if (giveBack) {
            slot.arrival.giveBack();
        }
        return true;
    }

    /** What was done so far; {@code outage} says why the broker can not be reached, if so. */
    public Subscription.Status status(Optional<String> outage) {
        return locked(() -> tally.status(unsettled.size(), outage));
    }

    /** Hands over nothing more, waits for what was handed over within the drain time, and gives the rest back. */
    @Override
    public void close() {
        List<Slot> rest = locked(() -> {
            closed = true;
            work.signalAll();
            settled.signalAll();
            List<Slot> notBegun =
                    unsettled.stream().filter(slot -> !slot.handedOver).toList();
            notBegun.forEach(unsettled::remove);
            return notBegun;
        });
        boolean drained = awaitHandedOver();
        rest.stream().filter(slot -> !locked(() -> slot.forgotten)).forEach(slot -> slot.arrival.giveBack());
        if (!drained) {
            abandon();
        }
    }

    private boolean awaitHandedOver() {
        if (threads.contains(Thread.currentThread())) {
            return true; // closed by a receiver: it cannot wait for itself
        }
        long left = subscriber.limits().drainTime().toNanos();
        lock.lock();
        try {
            while (handedOver > 0 && left > 0) {
                left = settled.awaitNanos(left);
            }
            return handedOver == 0;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Handlers that did not end in time: what they have is somebody else's now, whatever they say later. */
    private void abandon() {
        List<Slot> running = locked(() -> {
            List<Slot> all = List.copyOf(unsettled);
            all.forEach(slot -> slot.forgotten = true);
            return all;
        });
        LOG.warn(
                "Subscriber {} was closed while {} deliveries were not settled after {} ms; they will come again.",
                subscriber.name(),
                running.size(),
                subscriber.limits().drainTime().toMillis());
        threads.forEach(Thread::interrupt);
        running.forEach(slot -> slot.arrival.giveBack());
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
