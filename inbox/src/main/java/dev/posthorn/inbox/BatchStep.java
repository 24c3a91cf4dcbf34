package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.event.Failure;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many events in one transaction. When one of them does not go through, the whole is undone and each is handled by itself, so
 * that one event never fails for another.
 *
 * <p>What waits here is unsettled, so the transport brings no second event of a key meanwhile, and no more than the prefetch.
 *
 * @param <T> what handlers work in
 */
final class BatchStep<T> {

    private static final Logger LOG = LoggerFactory.getLogger(BatchStep.class);
    private static final long LOOK_MILLIS = 100;

    private final ConsumerConfig config;
    private final Inbox<T> inbox;
    private final Journal journal;
    private final BlockingQueue<Delivery> waiting = new LinkedBlockingQueue<>();
    /** One gathers at a time, or each would have a few and wait for more. */
    private final ReentrantLock gathering = new ReentrantLock();

    BatchStep(ConsumerConfig config, Inbox<T> inbox, Journal journal) {
        this.config = config;
        this.inbox = inbox;
        this.journal = journal;
    }

    /** Handles it soon, on a thread of the batches. */
    void add(Delivery delivery) {
        waiting.add(delivery);
    }

    /** What there is now; waits a little for the first, and as configured for more. Empty if there is none. */
    List<Delivery> gather() throws InterruptedException {
        gathering.lockInterruptibly();
        try {
            return gathered();
        } finally {
            gathering.unlock();
        }
    }

    private List<Delivery> gathered() throws InterruptedException {
        List<Delivery> batch = new ArrayList<>();
        Delivery first = waiting.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (first == null) {
            return batch;
        }
        batch.add(first);
        long end = System.nanoTime() + config.batch().patience().toNanos();
        while (batch.size() < config.batch().events()) {
            waiting.drainTo(batch, config.batch().events() - batch.size());
            long left = end - System.nanoTime();
            if (batch.size() == config.batch().events() || left <= 0) {
                break;
            }
            Delivery next = waiting.poll(left, TimeUnit.NANOSECONDS);
            if (next != null) {
                batch.add(next);
            }
        }
        return batch;
    }

    /** Handles all in one transaction. False if one of them failed: then nothing was done. */
    boolean together(List<Delivery> batch, Pipeline<T> pipeline) {
        if (batch.size() == 1) {
            return false;
        }
        List<Event> events = batch.stream().map(Delivery::event).toList();
        long start = System.nanoTime();
        try (InboxSession<T> session = inbox.begin()) {
            List<Event> handled = new ArrayList<>();
            int skipped = 0;
            for (Handlers.Named<T> handler : pipeline.handlers().all()) {
                List<Event> wanted = events.stream().filter(handler::wants).toList();
                if (wanted.isEmpty()) {
                    continue;
                }
                Set<UUID> fresh = new HashSet<>(session.firstTimes(
                        pipeline.step().idOf(handler),
                        wanted.stream().map(Event::id).toList()));
                for (Event event : wanted) {
                    if (!fresh.remove(event.id())) { // also an event that is in the batch twice
                        skipped++;
                    } else if (!pipeline.step().callIn(session, handler, event)) {
                        return false;
                    } else {
                        handled.add(event);
                    }
                }
            }
            session.commit();
            Duration each = Duration.ofNanos((System.nanoTime() - start) / batch.size());
            handled.forEach(event -> journal.handled(event, each));
            for (int i = 0; i < skipped; i++) {
                journal.skipped();
            }
        } catch (InboxException outage) {
            throw outage;
        } catch (Throwable failed) { // handled one by one, the event that is to blame pays for it
            LOG.debug("A batch of {} is handled one by one", batch.size(), Failure.loggable(failed));
            return false;
        }
        batch.forEach(delivery -> delivery.settle(Verdict.done()));
        return true;
    }
}
