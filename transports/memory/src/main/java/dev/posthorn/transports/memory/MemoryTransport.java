package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Carries events within one process: every subscriber gets every event, as the same immutable object.
 *
 * <p>An event is accepted when every subscriber's queue has it, at once if there are no subscribers. A full queue
 * delays that, for so long as the patience lasts; it never blocks the publishing thread. The events of one publisher reach each subscriber in order.
 *
 * <p>Not guaranteed: an accepted event that is still queued is lost when the process dies, and an event whose handler
 * throws is not delivered again. Thread-safe.
 */
public final class MemoryTransport implements Transport {

    static final Capabilities CAPABILITIES =
            new Capabilities(true, false, false, false, Integer.MAX_VALUE, Duration.ZERO);
    static final String CLOSED = "the memory transport is closed";

    private final Builder settings;
    private final Object lock = new Object();
    /** Replaced under the lock, never changed: who publishes needs to know how many there are. */
    private volatile List<MemorySubscription> subscriptions = List.of();

    private volatile boolean closed;

    private final ScheduledExecutorService timer;

    private MemoryTransport(Builder settings) {
        this.settings = settings;
        this.timer = Executors.newSingleThreadScheduledExecutor(MemoryTransport::timerThread);
        long pause = Math.max(1, Math.min(1_000, settings.patience().toMillis() / 4));
        var unused = timer.scheduleWithFixedDelay(this::giveUpOverdue, pause, pause, TimeUnit.MILLISECONDS);
    }

    public static Builder builder() {
        return new Builder(10_000, Duration.ofSeconds(30), Duration.ofSeconds(5));
    }

    /**
     * A transport without queue or thread: the publishing thread calls the handler.
     *
     * <p>The event is accepted when the handler returns, and failed when it throws. A slow handler holds up whoever
     * publishes; use this where both are meant to be one, as in tests and small tools.
     */
    public static Transport direct(Consumer<? super Event> handler) {
        return new DirectTransport(handler);
    }

    /**
     * Hands every event published from now on to the handler, one at a time, on a daemon thread named
     * {@code posthorn-memory-<name>}.
     *
     * <p>If the handler throws, that is logged and counted and the event is dropped for this subscriber.
     */
    public MemorySubscription subscribe(String name, Consumer<? super Event> handler) {
        MemorySubscription subscription =
                new MemorySubscription(name, handler, settings.capacity(), settings.drainTime(), this::remove);
        synchronized (lock) {
            if (closed) {
                throw new PosthornException("Subscriber " + name + " can not be added: " + CLOSED + ".");
            }
            if (subscriptions.stream().anyMatch(other -> other.name().equals(name))) {
                throw new PosthornException("There is already a subscriber " + name
                        + " on this memory transport; close that one first or choose another name.");
            }
            subscription.start();
            List<MemorySubscription> more = new ArrayList<>(subscriptions);
            more.add(subscription);
            subscriptions = List.copyOf(more);
        }
        return subscription;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Publisher publisher() {
        return new MemoryPublisher(this);
    }

    /** Settles what found no room as unavailable, then waits for the queues to be handled, within the drain time. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        timer.shutdown();
        long deadline = System.nanoTime() + settings.drainTime().toNanos();
        subscriptions.forEach(subscription -> subscription.stop(ticket -> ticket.giveUp(CLOSED)));
        subscriptions.forEach(subscription -> subscription.awaitEnd(deadline));
    }

    /** A subscriber that stands still must not leave publications unsettled for ever. */
    private void giveUpOverdue() {
        long now = System.nanoTime();
        long patience = settings.patience().toNanos();
        for (MemorySubscription subscription : subscriptions) {
            subscription.giveUpWaiting(
                    ticket -> ticket.age(now) > patience,
                    "subscriber " + subscription.name() + " had no room for it within " + settings.patience());
        }
    }

    private static Thread timerThread(Runnable work) {
        Thread thread = new Thread(work, "posthorn-memory-timer");
        thread.setDaemon(true);
        return thread;
    }

    private void remove(MemorySubscription subscription) {
        synchronized (lock) {
            subscriptions = subscriptions.stream()
                    .filter(other -> other != subscription)
                    .toList();
        }
    }

    boolean isClosed() {
        return closed;
    }

    List<MemorySubscription> subscriptions() {
        return subscriptions;
    }

    /**
     * How large and how patient a memory transport is.
     *
     * @param capacity how many events a subscriber may be behind; too low holds publishers back at every hiccup of a
     *     handler, too high keeps that many events in memory and loses them when the process dies. Default 10,000
     * @param patience how long an event waits for room before it is settled as unavailable; too low publishes again to
     *     subscribers that have it, too high leaves relays waiting for a subscriber that stands still. Default 30 seconds
     * @param drainTime how long closing waits for the handlers; too low drops accepted events, too high delays the end
     *     of the process. Default 5 seconds
     */
    public record Builder(int capacity, Duration patience, Duration drainTime) {

        public Builder {
            if (capacity < 1 || patience.isNegative() || drainTime.isNegative()) {
                throw new PosthornException("A memory transport needs a capacity of at least 1 and times that are not"
                        + " negative, but has capacity " + capacity + ", patience " + patience + " and drain time "
                        + drainTime + ".");
            }
        }

        public Builder capacity(int capacity) {
            return new Builder(capacity, patience, drainTime);
        }

        public Builder patience(Duration patience) {
            return new Builder(capacity, patience, drainTime);
        }

        public Builder drainTime(Duration drainTime) {
            return new Builder(capacity, patience, drainTime);
        }

        public MemoryTransport build() {
            return new MemoryTransport(this);
        }
    }
}
