package dev.posthorn.transports.postgreslog;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.StoppedKeys;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes events into the log, many in a transaction, one transaction at a time.
 *
 * <p>Two threads: one writes, the other settles what has waited too long, so that a database that does not answer holds up
 * nobody. Everything is written in the order of publishing; once an event of a call is not accepted, nothing of its key
 * behind it is.
 */
final class LogPublisher implements Publisher {

    private static final int LARGEST_BATCH = 500;
    private static final long LARGEST_BATCH_BYTES = 4L << 20;
    private static final int LONGEST_RUN = 100;
    private static final long FIRST_PAUSE = Duration.ofMillis(50).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();
    private static final Outcome TOO_LATE = Outcome.unavailable("the database has not answered in time");
    private static final Outcome NO_ANSWER = Outcome.unknown("no answer in time: it may have been committed");
    private static final Outcome CLOSED = Outcome.unavailable("the publisher is closed");

    private final LogWriter log;
    private final PostgresLogConfig config;
    private final Runnable afterCommit;
    private final Consumer<Publisher> whenClosed;
    private final Thread writer = Threads.daemon("posthorn-log-writer", this::write);
    private final Thread timer = Threads.daemon("posthorn-log-timer", this::watch);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Everything below is touched under the lock only. */
    private final Deque<PendingEmit> queue = new ArrayDeque<>();

    private List<PendingEmit> writing = List.of();
    /** Until then what is being written has time; it starts when the writer takes it, or the next one of it. */
    private long deadline;

    private long pause;
    private boolean closed;

    LogPublisher(LogWriter log, PostgresLogConfig config, Runnable afterCommit, Consumer<Publisher> whenClosed) {
        this.log = log;
        this.config = config;
        this.afterCommit = afterCommit;
        this.whenClosed = whenClosed;
        writer.start();
        timer.start();
    }

    @Override
    public int longestRun() {
        return LONGEST_RUN;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        StoppedKeys stopped = new StoppedKeys();
        locked(() -> {
            for (Publication publication : publications) {
                PendingEmit pending = new PendingEmit(publication, stopped);
                if (closed) {
                    pending.settle(CLOSED);
                } else {
                    queue.addLast(pending);
                }
            }
            changed.signalAll();
            return true;
        });
    }

    // ---- the writer

    private void write() {
        for (List<PendingEmit> batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
            List<PendingEmit> written = batch;
            Outcome outcome = outcomeOf(batch);
            boolean oneIsAtFault = outcome instanceof Outcome.Refused || outcome instanceof Outcome.Unknown;
            if (oneIsAtFault && batch.size() > 1) {
                writeOneByOne(batch);
            } else {
                locked(() -> settle(written, outcome));
            }
            if (!(outcome instanceof Outcome.Unavailable)) {
                afterCommit.run();
            }
        }
    }

    /**
     * One of them is at fault: which, each says for itself. If two in a row meet another transaction, or run out of time, it
     * is the database, and the others need not find out too.
     */
    private void writeOneByOne(List<PendingEmit> batch) {
        int inVain = 0;
        for (PendingEmit one : batch) {
            if (inVain >= 2) {
                locked(() -> settle(List.of(one), TOO_LATE));
            } else if (!locked(one::isWithheld)) {
                locked(this::beginAgain);
                Outcome outcome = outcomeOf(List.of(one));
                locked(() -> settle(List.of(one), outcome));
                inVain = outcome instanceof Outcome.Accepted
                        ? 0
                        : outcome instanceof Outcome.Refused ? inVain : inVain + 1;
            }
        }
    }

    private boolean beginAgain() {
        deadline = System.nanoTime() + config.answerTime().toNanos();
        changed.signalAll();
        return true;
    }

    private Outcome outcomeOf(List<PendingEmit> batch) {
        try {
            return log.write(batch.stream().map(PendingEmit::event).toList(), config.answerTime());
        } catch (RuntimeException unexpected) {
            return Outcome.unknown(Outcome.reasonOf(unexpected));
        }
    }

    private boolean settle(List<PendingEmit> batch, Outcome outcome) {
        batch.forEach(one -> one.settle(outcome));
        boolean outage = outcome instanceof Outcome.Unavailable;
        pause = outage ? Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, pause * 2)) : 0;
        return outage;
    }

    /** Waits for something to write; empty when closed. */
    private List<PendingEmit> nextBatch() {
        lock.lock();
        try {
            writing = List.of();
            for (long left = pause; left > 0 && !closed; ) {
                left = changed.awaitNanos(left);
            }
            while (!closed) {
                List<PendingEmit> batch = taken();
                if (!batch.isEmpty()) {
                    writing = batch;
                    boolean unused = beginAgain();
                    return batch;
                }
                changed.await();
            }
            return List.of();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    private List<PendingEmit> taken() {
        List<PendingEmit> batch = new ArrayList<>();
        long bytes = 0;
        while (!queue.isEmpty() && batch.size() < LARGEST_BATCH && bytes < LARGEST_BATCH_BYTES) {
            PendingEmit next = queue.getFirst();
            boolean tooLarge = next.event().payloadSize() > config.maxPayloadBytes();
            if (tooLarge && !batch.isEmpty()) {
                break; // it is settled after what is before it
            }
            queue.removeFirst();
            if (next.isWithheld()) {
                continue;
            }
            if (tooLarge) {
                next.settle(tooLarge(next.event()));
            } else {
                batch.add(next);
                bytes += next.event().payloadSize();
            }
        }
        return batch;
    }

    private Outcome tooLarge(Event event) {
        return Outcome.refused("the payload has " + event.payloadSize() + " bytes, and at most "
                + config.maxPayloadBytes() + " are taken");
    }

    // ---- the timer

    private void watch() {
        lock.lock();
        try {
            while (!closed) {
                long now = System.nanoTime();
                expire(now);
                if (writing.isEmpty() || isOverdue(now)) {
                    changed.await();
                } else {
                    changed.awaitNanos(deadline - now);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private boolean isOverdue(long now) {
        return deadline - now <= 0;
    }

    /** An event behind an overdue one cannot be written either. An event that merely waits for its turn has time. */
    private void expire(long now) {
        if (!writing.isEmpty() && isOverdue(now)) {
            writing.forEach(one -> one.settle(NO_ANSWER));
            queue.forEach(one -> one.settle(TOO_LATE));
            queue.clear();
        }
    }

    @Override
    public void close() {
        locked(() -> {
            closed = true;
            changed.signalAll();
            queue.forEach(one -> one.settle(CLOSED));
            queue.clear();
            return true;
        });
        try {
            writer.join(TimeUnit.NANOSECONDS.toMillis(config.answerTime().toNanos()));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        locked(() -> {
            writing.forEach(one -> one.settle(NO_ANSWER));
            return true;
        });
        whenClosed.accept(this);
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
