package dev.posthorn.transports.googlepubsub;

import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.util.concurrent.atomic.AtomicBoolean;

/** One member of a subscriber. Thread-safe. */
final class PubSubSubscription implements Subscription {

    private final Subscriber subscriber;
    private final Handout handout;
    private final Member member;
    private final AtomicBoolean closed = new AtomicBoolean();

    PubSubSubscription(Subscriber subscriber, Handout handout, Member member) {
        this.subscriber = subscriber;
        this.handout = handout;
        this.member = member;
    }

    /** Returns when it has its subscriptions, or could not. */
    void start() {
        Thread thread = new Thread(member, "posthorn-pubsub-" + subscriber.name());
        thread.setDaemon(true);
        thread.start();
        try {
            member.awaitBegun();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
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
        return handout.status(member.trouble());
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                member.stop();
                handout.close();
                member.end();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
