package dev.posthorn.inbox;

import dev.posthorn.event.Failure;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a consumer: receives events from a bus and has each handled once.
 *
 * <p>receive → decode → begin → first time? → handle → commit → settle. A delivery is settled after its effects are kept, so
 * a crash in between brings it again, and the inbox knows it. Thread-safe.
 *
 * @param <T> what handlers work in
 */
public final class Consumer<T> implements AutoCloseable {

    private static final Duration INTERRUPTED = Duration.ofSeconds(1);
    private static final Duration UNEXPECTED = Duration.ofSeconds(5);
    private static final Duration LAST_REPORT = Duration.ofSeconds(5);
    private static final String REPORT = "report";
    private static final Logger LOG = LoggerFactory.getLogger(Consumer.class);

    private final Bus bus;
    private final ConsumerConfig config;
    private final ConsumerStore<T> store;
    private final Journal journal = new Journal(Clock.systemUTC());
    private final FailureLog failures;
    private final Patience patience;
    private final TimeLimit time;
    private final Pipeline<T> pipeline;
    private final RedriveStep<T> redrives;
    private final BatchStep<T> batches;
    private final String member = Member.name();
    private final ScheduledThreadPoolExecutor keeper;
    private final List<Thread> batchThreads = new ArrayList<>();
    private final List<Runnable> companions = new CopyOnWriteArrayList<>();
    private final Object turn = new Object();
    /** Guarded by turn. */
    private @Nullable Subscription subscription;

    private volatile boolean pausedHere;
    private volatile boolean pausedByOperator;
    private volatile boolean closed;
    private boolean warned;

    private Consumer(Bus bus, ConsumerConfig config, Handlers<T> handlers, Equipment<T> equipment) {
        this.bus = bus;
        this.config = config;
        this.store = equipment.store();
        this.failures = failuresOf(config);
        this.patience = new Patience(journal, failures);
        this.time = new TimeLimit(config.handlerTime(), config.name());
        this.pipeline = new Pipeline<>(
                handlers,
                new HandlerStep<>(config, equipment.inbox(), time, journal, patience),
                equipment.deadLetters(),
                new Pipeline.Origin(config.name(), config.kind(), member),
                journal);
        this.redrives = new RedriveStep<>(config.name(), store, pipeline, System::nanoTime);
        this.batches = new BatchStep<>(config, equipment.inbox(), journal);
        this.keeper = new ScheduledThreadPoolExecutor(1, work -> daemon(work, "posthorn-consumer-" + config.name()));
    }

    /** Starts a member; it receives until it is closed. */
    public static <T> Consumer<T> start(Bus bus, ConsumerConfig config, Handlers<T> handlers, Equipment<T> equipment) {
        Consumer<T> consumer = new Consumer<>(bus, config, handlers, equipment);
        consumer.begin();
        return consumer;
    }

    /** The failures of a consumer's threads: a database that is unavailable fails each of them for one reason. */
    static FailureLog failuresOf(ConsumerConfig config) {
        return new FailureLog(LOG, "Handling", "consumer=" + config.name());
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    private void begin() {
        if (config.batch().isOn()) {
            for (int i = 0; i < config.subscriber().limits().concurrency(); i++) {
                Thread thread = daemon(this::handleBatches, "posthorn-batch-" + config.name() + "-" + i);
                batchThreads.add(thread);
                thread.start();
            }
        }
        keep(); // whether it is paused must be known before anything is received
        long every = config.reportEvery().toNanos();
        var unused = keeper.scheduleWithFixedDelay(this::keep, every, every, TimeUnit.NANOSECONDS);
    }

    /** Takes nothing more until {@link #resume}; what is in work is finished. */
    public void pause() {
        pausedHere = true;
        arrange();
    }

    public void resume() {
        pausedHere = false;
        arrange();
    }

    /** Whether it takes nothing, here or because an operator paused the consumer. */
    public boolean isPaused() {
        return pausedHere || pausedByOperator;
    }

    /** Has this ended together with the consumer, after its handlers; at once if it has ended. */
    public void atEnd(Runnable end) {
        synchronized (turn) {
            if (!closed) {
                companions.add(end);
                return;
            }
        }
        end.run();
    }

    /** How it is now. */
    public ConsumerReport report() {
        Optional<String> elsewhere;
        synchronized (turn) {
            elsewhere = subscription == null
                    ? Optional.empty()
                    : subscription.status().trouble();
        }
        return journal.report(config.name(), member, elsewhere, tightDeadline());
    }

    /**
     * A publisher for a replay that goes straight to this consumer: accepted means handled. What was handled before is handled
     * once more, and once for each replay. The caller closes it.
     */
    public Publisher replays() {
        return new ReplayIntake<>(config.name(), pipeline);
    }

    /** Reports, and does what an operator asked for. */
    private void keep() {
        try {
            pausedByOperator = store.report(report());
            arrange();
            if (!isPaused() && !closed) {
                while (redrives.runOnce() > 0 && !closed && !isPaused()) {
                    LOG.debug("Redriven letters of {} were handled", config.name());
                }
            }
            warnOfDeadline();
            failures.recovered(REPORT);
        } catch (InboxException outage) {
            journal.outage(String.valueOf(outage.getMessage()));
            failures.failed(REPORT, outage);
            arrange();
        } catch (StoppedException end) {
            LOG.debug("Consumer {} ends", config.name());
        } catch (Throwable unexpected) { // an Error would end the schedule without a word
            journal.outage(Outcome.reasonOf(unexpected));
            failures.failed(REPORT, unexpected);
        }
    }

    private void warnOfDeadline() {
        Optional<String> tight = tightDeadline();
        if (!warned && tight.isPresent()) {
            warned = true;
            LOG.warn("{}: {}", config.name(), tight.get());
        }
    }

    /** A handler that outlasts the deadline is given its event again while it still works on it. */
    private Optional<String> tightDeadline() {
        Duration deadline = bus.ackDeadline();
        Duration slow = journal.handlerP99();
        return deadline.isZero() || slow.multipliedBy(2).compareTo(deadline) <= 0
                ? Optional.empty()
                : Optional.of(
                        "Handlers take up to " + slow.toMillis() + " ms, and the transport brings an event again after "
                                + deadline.toMillis() + " ms: make that at least twice as long");
    }

    /** Subscribes or ends the subscription, as it should be. */
    private void arrange() {
        synchronized (turn) {
            boolean wanted = !isPaused() && !closed;
            if (wanted && subscription == null) {
                subscription = bus.subscribe(subscriber(), new Intake());
            } else if (!wanted && subscription != null) {
                subscription.close();
                subscription = null;
            }
        }
    }

    /** With room for the batches where no prefetch was chosen. */
    private Subscriber subscriber() {
        Subscriber subscriber = config.subscriber();
        int room = config.batch().events() * subscriber.limits().concurrency();
        return config.batch().isOn() && subscriber.limits().prefetch() == Subscriber.DEFAULT_PREFETCH
                ? subscriber.prefetch(room)
                : subscriber;
    }

    private final class Intake implements Receiver {

        @Override
        public void receive(Delivery delivery) {
            if (config.batch().isOn()) {
                batches.add(delivery);
            } else {
                handle(delivery);
            }
        }

        @Override
        public void undecodable(RawDelivery raw) {
            raw.settle(pipeline.undecodable(raw.message(), raw.reason(), raw.metadata()));
        }
    }

    private void handle(Delivery delivery) {
        try {
            Verdict verdict = patience.until(() ->
                    pipeline.handle(delivery.event(), new Pipeline.Arrived(delivery.attempt(), delivery.metadata())));
            delivery.settle(verdict);
        } catch (StoppedException end) {
            LOG.debug(
                    "Event {} was not handled before the end", delivery.event().id());
            if (!patience.isStopped()) { // somebody interrupted the handler; if the subscription ends this is ignored
                delivery.settle(Verdict.retry(INTERRUPTED, "the handler was interrupted"));
            }
        }
    }

    private void handleBatches() {
        while (!closed) {
            try {
                handleBatch(batches.gather());
            } catch (InterruptedException interrupted) {
                // Closing says so by the flag it sets first; an interrupt by a handler ends nothing.
                LOG.debug("A batch thread of consumer {} was interrupted", config.name());
            }
        }
    }

    private void handleBatch(List<Delivery> batch) {
        if (batch.isEmpty() || handledTogether(batch)) {
            return;
        }
        for (Delivery delivery : batch) {
            try {
                handle(delivery);
            } catch (Throwable unexpected) { // the thread and the rest of the batch go on
                journal.retried(Outcome.reasonOf(unexpected));
                LOG.warn(
                        "Consumer {} failed on event {}",
                        config.name(),
                        delivery.event().id(),
                        Failure.loggable(unexpected));
                delivery.settle(Verdict.retry(UNEXPECTED, Outcome.reasonOf(unexpected)));
            }
        }
    }

    private boolean handledTogether(List<Delivery> batch) {
        try {
            return patience.until(() -> batches.together(batch, pipeline));
        } catch (StoppedException end) {
            return patience.isStopped();
        } catch (Throwable unexpected) {
            LOG.warn("Consumer {} handles a batch one by one", config.name(), Failure.loggable(unexpected));
            return false;
        }
    }

    /**
     * Takes nothing new and lets handlers that run finish, within the drain time. What was not finished comes again, to
     * another member or later, without a charged attempt.
     */
    @Override
    public void close() {
        patience.stop();
        synchronized (turn) {
            if (closed) {
                return;
            }
            if (subscription != null) {
                subscription.close();
                subscription = null;
            }
            closed = true;
        }
        endReports();
        companions.forEach(Runnable::run);
        batchThreads.forEach(Thread::interrupt);
        time.close();
        try {
            store.leave(config.name(), member);
        } catch (InboxException outage) {
            LOG.debug("Consumer {} could not say that it ends", config.name(), outage);
        }
    }

    /** A report that came after the farewell would make the member look alive. */
    private void endReports() {
        keeper.shutdownNow();
        try {
            if (!keeper.awaitTermination(LAST_REPORT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("Consumer {} ends while it still reports", config.name());
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
