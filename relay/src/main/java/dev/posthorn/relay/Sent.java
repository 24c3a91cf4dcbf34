package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.concurrent.atomic.AtomicBoolean;

/** One publish call of one event. A retry is another one, so that a late answer to the first can not be taken for it. */
final class Sent extends AtomicBoolean implements Publication {

    private static final long serialVersionUID = 1L;

    final transient Item item;
    private final transient Event event;
    private final int attempt;
    private final boolean redriven;
    private final transient Answers answers;

    Sent(Item item, Answers answers) {
        this.item = item;
        this.event = item.event;
        this.attempt = item.attempts + 1;
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

    @Override
    public boolean isRedriven() {
        return redriven;
    }

    @Override
    public void settle(Outcome outcome) {
        if (compareAndSet(false, true)) {
            answers.add(this, outcome);
        }
    }

    boolean isSettled() {
        return get();
    }
}
