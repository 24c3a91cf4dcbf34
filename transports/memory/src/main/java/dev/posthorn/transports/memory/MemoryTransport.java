package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscriber.Limits;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Threads;
import dev.posthorn.transport.Transport;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries events within one process: every subscriber gets every event, as the same immutable object.
 *
 * <p>An event is accepted when the queue of every subscriber that wants it has it, at once if there is none. A full queue
 * delays that, for so long as the patience lasts; it never blocks the publishing thread. The events of a key reach each
 * subscriber in order; with a concurrency of 1 all events of one publisher do.
 *
 * <p>A subscriber begins with what is published after its first member came, and ends with its last. Not guaranteed: what is
 * queued when the process dies is lost. Thread-safe.
 */
public final class MemoryTransport implements Bus, SubscriberCheck {

    /** What {@link #capabilities} answers. */
    public static final Capabilities CAPABILITIES =
            new Capabilities(true, false, true, false, false, Integer.MAX_VALUE, Duration.ZERO);

    private static final Logger LOG = LoggerFactory.getLogger(MemoryTransport.class);
    static final String CLOSED = "the memory transport is closed";
    private static final int MOST_DEAD_LETTERS = 10_000;

    private final Builder settings;
    private final Object lock = new Object();
    /** Replaced under the lock, never changed: who publishes needs to know how many there are. */
    private volatile List<MemoryGroup> groups = List.of();

    private volatile boolean closed;

    private final Deque<DeadLetter> deadLetters = new ArrayDeque<>();
    private final ScheduledExecutorService timer;

    private MemoryTransport(Builder settings) {
        this.settings = settings;
        this.timer = Threads.timed("posthorn-memory-timer");
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
     * Hands every event published from now on to the handler, one at a time and in order, on a daemon thread.
     *
     * <p>If the handler throws, the event comes again after a pause that grows with each attempt, and what is behind it
     * of its key waits.
     */
    public MemorySubscription subscribe(String name, Consumer<? super Event> handler) {
        Subscriber alone =
                Subscriber.named(name).limits(new Limits(1, MemorySubscription.PREFETCH, settings.drainTime()));
        return subscribe(alone, delivery -> {
            handler.accept(delivery.event());
            delivery.settle(Verdict.done());
        });
    }

    @Override
    public MemorySubscription subscribe(Subscriber subscriber, Receiver receiver) {
        synchronized (lock) {
            if (closed) {
                throw new PosthornException("Subscriber " + subscriber.name() + " can not be added: " + CLOSED + ".");
            }
            MemoryGroup group = groupOf(subscriber);
            MemorySubscription member = new MemorySubscription(group, subscriber, receiver, this::dead, this::remove);
            if (!group.join(member)) {
                group = newGroup(subscriber);
                member = new MemorySubscription(group, subscriber, receiver, this::dead, this::remove);
                group.join(member);
            }
            return member;
        }
    }

    private MemoryGroup groupOf(Subscriber subscriber) {
        for (MemoryGroup group : groups) {
            if (group.subscriber().name().equals(subscriber.name())) {
                if (!group.subscriber().domains().equals(subscriber.domains())
                        || !group.subscriber().types().equals(subscriber.types())) {
                    throw new PosthornException("Subscriber " + subscriber.name() + " has members here that want other"
                            + " domains or types: " + group.subscriber() + ". Members of one subscriber share its"
                            + " events, so they must want the same.");
                }
                return group;
            }
        }
        return newGroup(subscriber);
    }

    private MemoryGroup newGroup(Subscriber subscriber) {
        MemoryGroup group = new MemoryGroup(subscriber, settings.capacity());
        List<MemoryGroup> more = new ArrayList<>(groups);
        more.removeIf(old -> old.subscriber().name().equals(subscriber.name()));
        more.add(group);
        groups = List.copyOf(more);
        return group;
    }

    private void dead(DeadLetter letter) {
        synchronized (deadLetters) {
            if (deadLetters.size() == MOST_DEAD_LETTERS) {
                LOG.warn("There are more than {} dead letters; the oldest is dropped.", MOST_DEAD_LETTERS);
                deadLetters.removeFirst();
            }
            deadLetters.addLast(letter);
        }
    }

    /** What was rejected, the oldest first; the last 10,000. */
    public List<DeadLetter> deadLetters() {
        synchronized (deadLetters) {
            return List.copyOf(deadLetters);
        }
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
    public Duration ackDeadline() {
        return Duration.ZERO;
    }

    @Override
    public Publisher publisher() {
        return new MemoryPublisher(this);
    }

    /** Names itself if nobody subscribes in this process. */
    @Override
    public Set<String> unsubscribed(Set<String> destinations) {
        return groups.isEmpty() ? Set.of(name()) : Set.of();
    }

    /** Settles what found no room as unavailable, then waits for the queues to be handled, within the drain time. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        timer.shutdown();
        long deadline = System.nanoTime() + settings.drainTime().toNanos();
        List<MemoryGroup> ending = groups;
        ending.forEach(group -> group.stop(ticket -> ticket.giveUp(CLOSED)));
        ending.forEach(group -> group.awaitHandled(deadline));
        ending.forEach(group -> group.members().forEach(MemorySubscription::end));
    }

    /** A subscriber that stands still must not leave publications unsettled for ever. */
    private void giveUpOverdue() {
        long now = System.nanoTime();
        long patience = settings.patience().toNanos();
        for (MemoryGroup group : groups) {
            group.giveUpWaiting(
                    ticket -> ticket.age(now) > patience,
                    "subscriber " + group.subscriber().name() + " had no room for it within " + settings.patience());
        }
    }

    private void remove(MemoryGroup group) {
        synchronized (lock) {
            groups = groups.stream().filter(other -> other != group).toList();
        }
    }

    boolean isClosed() {
        return closed;
    }

    List<MemoryGroup> groups() {
        return groups;
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
