package dev.posthorn.transports.ipc;

import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.util.concurrent.atomic.AtomicBoolean;

/** One member of a subscriber. Thread-safe. */
final class IpcSubscription implements Subscription {

    private final Subscriber subscriber;
    private final Handout handout;
    private final Member member;
    private final AtomicBoolean closed = new AtomicBoolean();

    IpcSubscription(Subscriber subscriber, Handout handout, Member member) {
        this.subscriber = subscriber;
        this.handout = handout;
        this.member = member;
    }

    @Override
    public Subscriber subscriber() {
        return subscriber;
    }

    boolean isClosed() {
        return closed.get();
    }

    @Override
    public Status status() {
        return handout.status(member.outage());
    }

    Member member() {
        return member;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            member.leave();
            handout.close();
            member.end();
        }
    }
}
