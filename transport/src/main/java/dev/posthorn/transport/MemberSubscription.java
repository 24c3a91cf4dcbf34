package dev.posthorn.transport;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The subscription of a transport whose members are told when to begin, to stop and to end. Thread-safe. */
public final class MemberSubscription implements Subscription {

    /**
     * What brings arrivals from the broker to a {@link Handout}, and settlements back. It is started, stopped and ended in
     * this order, each at most once.
     */
    public interface Member {

        /** Begins, and waits for the first time that it reached the broker, or could not. */
        void start() throws InterruptedException;

        /** Takes nothing new; what is settled still goes to the broker. */
        void stop() throws InterruptedException;

        /** Brings what is settled to the broker, gives back the rest and ends. */
        void end() throws InterruptedException;

        /** Why the broker can not be used, if so; at any time, on any thread. */
        Optional<String> trouble();
    }

    private interface Call {
        void run() throws InterruptedException;
    }

    private final Subscriber subscriber;
    private final Handout handout;
    private final Member member;
    private final AtomicBoolean closed = new AtomicBoolean();

    public MemberSubscription(Subscriber subscriber, Handout handout, Member member) {
        this.subscriber = subscriber;
        this.handout = handout;
        this.member = member;
    }

    /** Returns when the member has reached the broker, or could not. */
    public void start() {
        untilInterrupted(member::start);
    }

    @Override
    public Subscriber subscriber() {
        return subscriber;
    }

    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public Status status() {
        return handout.status(member.trouble());
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            untilInterrupted(() -> {
                member.stop();
                handout.close();
                member.end();
            });
        }
    }

    private static void untilInterrupted(Call call) {
        try {
            call.run();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
