package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.concurrent.atomic.AtomicBoolean;

/** One publish call of one event. A retry is another one, so that a late answer to the first can not be taken for it. */
final class Sent extends AtomicBoolean implements Publication {

    private static final long serialVersionUID = 1L;

    /** Under the relay's lock. */
    transient Item item;
    /** Under the relay's lock: whether it counts as in flight. */
    transient boolean counted;
    /** Under the relay's lock: which opening of the breaker it is a probe of; zero if none. */
    transient int probe;
    /** Under the relay's lock: which slow start counts it; zero if none. */
    transient int start;
    /** When it was sent. */
    final long sentAt;

    private final transient Event event;
    private final int charged;
    private final int attempt;
    private final boolean redriven;
    private final transient Answers answers;

    Sent(Item item, Answers answers, long sentAt) {
        this.item = item;
        this.sentAt = sentAt;
        this.event = item.event;
        this.charged = item.attempts;
        this.attempt = item.attempts + 1 + (item.doubt == null ? 0 : item.doubt.resends());
        this.redriven = item.redriven;
        this.answers = answers;
    }

    @Override
    public Event event() {
        return event;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    /** How many attempts had been charged before it. */
    int charged() {
        return charged;
    }

    @Override
    public boolean isRedriven() {
        return redriven;
    }

    @Override
    public void settle(Outcome outcome) {
        if (compareAndSet(false, true)) {
            try {
                answers.add(this, outcome);
            } catch (Throwable notAdded) {
                set(false); // or nobody would hear of it, and it would count as in flight without end
                throw notAdded;
            }
        }
    }

    boolean isSettled() {
        return get();
    }
}
