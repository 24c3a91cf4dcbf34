package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.MemberSubscription;
import dev.posthorn.transport.Pauses;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of one member of a subscriber: connects, renews leases, settles, reads, waits. */
final class Member implements MemberSubscription.Member, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Member.class);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);
    private static final Duration SHORT_WAIT = Duration.ofMillis(20);

    /** What the thread works with. */
    record Parts(Streams streams, Membership membership, Settlements settlements, Intake intake, Handout handout) {}

    private final Subscriber subscriber;
    private final Connector connector;
    private final Duration patience;
    private final Parts parts;
    private final Semaphore wake;

    private final Pauses pauses = Connector.pauses();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Link link;
    private @Nullable Link bell;
    private volatile @Nullable String outage = "it has not connected yet";
    private final FailureLog failures;
    private volatile boolean stopping;
    private volatile boolean ending;

    Member(Subscriber subscriber, Connector connector, Duration patience, Parts parts, Semaphore wake) {
        this.subscriber = subscriber;
        this.failures = new FailureLog(LOG, "Receiving", "subscriber=" + subscriber.name());
        this.connector = connector;
        this.patience = patience;
        this.parts = parts;
        this.wake = wake;
    }

    /** Returns when it is connected and has its groups, or could not connect. */
    @Override
    public void start() throws InterruptedException {
        Threads.daemon("posthorn-redis-" + subscriber.name(), this).start();
        var unused = begun.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void stop() {
        stopping = true;
        wake.release();
    }

    /** Brings what is settled to Redis, gives up the leases and ends; waits for that within the patience. */
    @Override
    public void end() throws InterruptedException {
        ending = true;
        wake.release();
        if (!ended.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            LOG.warn(
                    "Closed before Redis had all settlements; the missing ones are redelivered. subscriber={}",
                    subscriber.name());
        }
    }

    @Override
    public Optional<String> trouble() {
        String reason = outage;
        if (reason == null) {
            reason = parts.settlements().trouble();
        }
        if (reason == null && !parts.streams().missing().isEmpty()) {
            reason = "missing: " + String.join(", ", parts.streams().missing());
        }
        return Optional.ofNullable(reason).or(parts.settlements().losses()::asTrouble);
    }

    @Override
    public void run() {
        while (!ending) {
            try {
                runOnce();
            } catch (RuntimeException failure) {
                failed(failure);
            } catch (InterruptedException stop) {
                ending = true;
            }
        }
        try {
            leave();
        } finally {
            disconnect();
            ended.countDown();
        }
    }

    private void runOnce() throws InterruptedException {
        Membership membership = parts.membership();
        lose(membership.expired());
        Link current = connected();
        if (membership.untilDue().isZero()) {
            lose(membership.renew(current));
        }
        parts.settlements().flush(current);
        membership.releaseDrained(current);
        boolean idle = stopping || !readSomething(current);
        outage = null;
        failures.recovered();
        pauses.succeeded();
        begun.countDown();
        if (idle) {
            rest();
        }
    }

    private boolean readSomething(Link current) {
        List<Shard> lost = new ArrayList<>();
        boolean any = parts.intake().read(current, parts.membership().ours(), lost);
        lose(lost);
        return any;
    }

    private void rest() throws InterruptedException {
        Membership membership = parts.membership();
        if (!stopping && parts.handout().room() == 0) {
            var unused = parts.handout().awaitRoom(1, SHORT_WAIT);
            return;
        }
        Link listener = bell;
        Duration longest = shorter(membership.untilDue(), LONGEST_WAIT);
        if (!stopping && listener != null) {
            parts.intake().listen(listener, membership.ours(), LONGEST_WAIT);
        }
        boolean unready = membership.ours().stream().anyMatch(shard -> shard.phase != Shard.Phase.READING);
        if (unready || !parts.settlements().isEmpty()) {
            longest = shorter(longest, SHORT_WAIT);
        }
        if (wake.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS)) {
            wake.drainPermits();
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Link connected() {
        Link current = link;
        Link listener = bell;
        if (current != null && current.isOpen() && listener != null && listener.isOpen()) {
            return current;
        }
        disconnect();
        current = connector.connect().join();
        link = current;
        listener = connector.connect().join();
        listener.onLost(wake::release);
        bell = listener;
        parts.membership().recoverAll();
        return current;
    }

    /** A refusal leaves the connection as it is; anything else ends it. */
    private void failed(RuntimeException failure) {
        boolean answered = Replies.isReply(failure) || failure instanceof UnreadableException;
        String reason = answered ? "Redis says: " + Replies.unwrapped(failure).getMessage() : connector.reason(failure);
        failures.failed(reason);
        outage = reason;
        if (reason.contains("NOGROUP")) {
            parts.membership().ours().forEach(shard -> parts.streams().isGone(shard.stream));
        }
        if (answered) {
            parts.membership().recoverAll();
        } else {
            disconnect();
        }
        begun.countDown();
        try {
            var unused = wake.tryAcquire(pauses.failed().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            ending = true;
        }
    }

    private void lose(List<Shard> lost) {
        lost.forEach(Shard::lose);
        if (!lost.isEmpty()) {
            LOG.warn(
                    "The leases of {} were lost; events at hand are redelivered. subscriber={}",
                    lost,
                    subscriber.name());
            parts.handout().forget(arrival -> lost.contains(((RedisArrival) arrival).shard));
        }
    }

    private void leave() {
        Link current = link;
        if (current == null || !current.isOpen()) {
            return;
        }
        try {
            parts.membership().ours().forEach(shard -> shard.stash.forEach(RedisArrival::giveBack));
            long end = System.nanoTime() + patience.toNanos();
            while (!parts.settlements().isEmpty() && System.nanoTime() - end < 0) {
                parts.settlements().flush(current);
                var unused = wake.tryAcquire(SHORT_WAIT.toNanos(), TimeUnit.NANOSECONDS);
            }
            parts.membership().leave(current);
        } catch (RuntimeException failure) {
            LOG.warn("Leaving failed: {} subscriber={}", connector.reason(failure), subscriber.name());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void disconnect() {
        for (Link old : new Link[] {link, bell}) {
            if (old != null) {
                old.close();
            }
        }
        link = null;
        bell = null;
    }
}
