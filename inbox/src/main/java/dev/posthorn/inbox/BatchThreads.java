package dev.posthorn.inbox;

import dev.posthorn.event.Failure;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Threads;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which a member handles batches: together if that goes well, one by one otherwise.
 *
 * @param <T> what handlers work in
 */
final class BatchThreads<T> implements AutoCloseable {

    private static final Duration UNEXPECTED = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(BatchThreads.class);

    /** What gathers, what handles, and what says whether an event is handled here at all. */
    record Steps<T>(BatchStep<T> batch, Pipeline<T> pipeline, HandoverStep<T> handover) {}

    private final ConsumerConfig config;
    private final Steps<T> steps;
    private final Patience patience;
    private final Journal journal;
    private final Consumer<Delivery> single;
    private final FailureLog failures;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /** With what handles and settles one delivery by itself. */
    BatchThreads(ConsumerConfig config, Steps<T> steps, Patience patience, Journal journal, Consumer<Delivery> single) {
        this.config = config;
        this.steps = steps;
        this.patience = patience;
        this.journal = journal;
        this.single = single;
        this.failures = new FailureLog(LOG, "Handling", "consumer=" + config.name());
    }

    void start() {
        for (int i = 0; i < config.subscriber().limits().concurrency(); i++) {
            Thread thread = Threads.daemon("posthorn-batch-" + config.name() + "-" + i, this::handleBatches);
            threads.add(thread);
            thread.start();
        }
    }

    /** Handles it soon. */
    void add(Delivery delivery) {
        steps.batch().add(delivery);
    }

    private void handleBatches() {
        while (!closed) {
            try {
                handleBatch(steps.batch().gather());
            } catch (InterruptedException interrupted) {
                // Closing says so by the flag it sets first; an interrupt by a handler ends nothing.
                LOG.debug("A batch thread of consumer {} was interrupted", config.name());
            }
        }
    }

    private void handleBatch(List<Delivery> batch) {
        Map<Boolean, List<Delivery>> byPlace = batch.stream()
                .collect(Collectors.partitioningBy(delivery -> steps.handover().isHandledHere(delivery.event())));
        List<Delivery> oneByOne = new ArrayList<>(byPlace.getOrDefault(false, List.of()));
        List<Delivery> here = byPlace.getOrDefault(true, List.of());
        if (!here.isEmpty() && !handledTogether(here)) {
            oneByOne.addAll(here);
        }
        for (Delivery delivery : oneByOne) {
            try {
                single.accept(delivery);
                failures.recovered();
            } catch (Throwable unexpected) { // the thread and the rest of the batch go on
                journal.retried(Outcome.reasonOf(unexpected));
                failures.failedOn(delivery.event(), unexpected);
                delivery.settle(Verdict.retry(UNEXPECTED, Outcome.reasonOf(unexpected)));
            }
        }
    }

    private boolean handledTogether(List<Delivery> batch) {
        try {
            return patience.until(() -> steps.batch().together(batch, steps.pipeline()));
        } catch (StoppedException end) {
            return patience.isStopped();
        } catch (Throwable unexpected) {
            LOG.debug("Consumer {} handles a batch one by one", config.name(), Failure.loggable(unexpected));
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
