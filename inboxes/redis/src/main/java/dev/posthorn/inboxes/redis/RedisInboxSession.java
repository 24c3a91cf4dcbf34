package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.inbox.UnitOfWork;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * claim → effect → fence → effects kept → mark. Whatever ends it before the mark leaves a claim that runs out, so an effect may
 * be repeated and is never lost.
 *
 * @param <T> what a handler works in
 */
final class RedisInboxSession<T> implements InboxSession<T> {

    private static final Logger LOG = LoggerFactory.getLogger(RedisInboxSession.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final Marks marks;
    private final Claim claim;
    private final UnitOfWork<T> unit;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    /** Effects are kept, or may be: what is claimed must not be given up any more. */
    private boolean kept;

    RedisInboxSession(Marks marks, Claim claim, UnitOfWork<T> unit) {
        this.marks = marks;
        this.claim = claim;
        this.unit = unit;
    }

    @Override
    public T transaction() {
        return unit.transaction();
    }

    @Override
    public Set<UUID> firstTimes(HandlerId handler, Collection<UUID> events) {
        List<UUID> asked = events.stream().distinct().toList();
        if (asked.isEmpty()) {
            return Set.of();
        }
        long end = System.nanoTime() + marks.patience().toNanos();
        Duration pause = FIRST_PAUSE;
        while (true) {
            Marks.Claimed answer = marks.claim(claim, handler, asked);
            if (answer.waiting().isZero()) {
                Set<UUID> fresh = new HashSet<>();
                answer.fresh().forEach(place -> fresh.add(asked.get(place)));
                return fresh;
            }
            Duration left = Duration.ofNanos(end - System.nanoTime());
            if (left.isNegative()) {
                throw new InboxException("Another member has had an event of " + handler + " in work for long");
            }
            await(shortest(pause, answer.waiting(), left));
            pause = shortest(pause.multipliedBy(2), LONGEST_PAUSE, LONGEST_PAUSE);
        }
    }

    private static Duration shortest(Duration one, Duration other, Duration third) {
        Duration shorter = one.compareTo(other) < 0 ? one : other;
        return shorter.compareTo(third) < 0 ? shorter : third;
    }

    private void await(Duration pause) {
        try {
            if (cancelled.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new InboxException("The handling was cancelled");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InboxException("Interrupted while another member has the event in work", stopped);
        }
    }

    @Override
    public void commit() {
        if (claim.marks().isEmpty()) {
            unit.commit();
            return;
        }
        if (!(unit instanceof Apart)) {
            marks.fence(claim);
            unit.commit();
        }
        kept = true;
        mark();
    }

    /**
     * Effects are there and nobody knows: what keeps the mark from being set is waited for, because giving up repeats them.
     * Ends when it is marked, taken by another, the inbox is closed, or this thread is interrupted.
     */
    private void mark() {
        Duration pause = FIRST_PAUSE;
        boolean first = true;
        while (true) {
            try {
                marks.mark(claim, first);
                return;
            } catch (MarkTakenException taken) {
                throw new InboxException(String.valueOf(taken.getMessage()), taken);
            } catch (InboxException away) {
                if (marks.isClosed() || Thread.currentThread().isInterrupted()) {
                    throw away;
                }
                LOG.warn(
                        "The effects of an event are kept and its mark is not: {}. Trying again; if this process ends before,"
                                + " they are repeated.",
                        away.getMessage());
            }
            first = false;
            await(pause);
            pause = shortest(pause.multipliedBy(2), LONGEST_PAUSE, LONGEST_PAUSE);
        }
    }

    @Override
    public void cancel() {
        cancelled.countDown();
        unit.cancel();
    }

    @Override
    public void close() {
        unit.close();
        marks.end(claim, kept);
    }

    /** A unit of work for effects that nobody can undo: handlers get the claim. */
    record Apart(Claim transaction) implements UnitOfWork<Claim> {

        @Override
        public void commit() {
            // the effects are where they are
        }

        @Override
        public void cancel() {
            // the handler's thread is interrupted
        }

        @Override
        public void close() {
            // the effects stay
        }
    }
}
