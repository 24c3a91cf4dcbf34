package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** One member of a subscriber of a memory transport. Thread-safe. */
public final class MemorySubscription implements Subscription {

    static final int PREFETCH = 256;

    /** Where rejected events go. */
    interface DeadLetters {
        void add(DeadLetter letter);
    }

    private final MemoryGroup group;
    private final Handout handout;
    private final int prefetch;
    private final DeadLetters dead;
    private final Consumer<MemoryGroup> onLast;
    /** Touched under the group's lock. */
    int assigned;

    private volatile boolean closing;

    MemorySubscription(
            MemoryGroup group, Subscriber subscriber, Receiver receiver, DeadLetters dead, Consumer<MemoryGroup> end) {
        this.group = group;
        this.prefetch = subscriber.limits().prefetchOr(PREFETCH);
        this.handout = new Handout(subscriber, receiver, PREFETCH);
        this.dead = dead;
        this.onLast = end;
    }

    @Override
    public Subscriber subscriber() {
        return group.subscriber();
    }

    @Override
    public Status status() {
        return handout.status(Optional.empty());
    }

    /** How many accepted events of the subscriber are not settled yet. */
    public int queued() {
        return group.unhandled();
    }

    /**
     * Ends this member. The last one of its subscriber waits for the queue to be handled, within the drain time; what is
     * left then is dropped, and logged.
     */
    @Override
    public void close() {
        if (group.isLast(this)) {
            endGroup();
            group.awaitHandled(
                    System.nanoTime() + subscriber().limits().drainTime().toNanos());
        }
        end();
    }

    /** Hands over nothing more; what is left goes back to the group. */
    void end() {
        closing = true;
        handout.close();
        if (group.left(this)) {
            endGroup();
        }
    }

    private void endGroup() {
        onLast.accept(group);
        group.stop(Ticket::arrived);
    }

    /** How many more it may have. Under the group's lock. */
    int room() {
        return closing ? 0 : prefetch - assigned;
    }

    void take(MemoryArrival arrival) {
        handout.offer(arrival.event, arrival);
    }

    void dead(Event event, String reason, Map<String, String> about) {
        dead.add(new DeadLetter(subscriber().name(), event, reason, about));
    }
}
