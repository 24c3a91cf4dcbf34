package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.HandoverStore.MemberId;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Threads;
import dev.posthorn.transport.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
    private static final Duration LAST_REPORT = Duration.ofSeconds(5);
    private static final String REPORT = "report";
    private static final String LETTERS = "letters";
    private static final String HANDOVER = "handover";
    private static final String HANDLER_TIME = "handler-time";
    private static final Duration HANDOVER_LOOK = Duration.ofMillis(25);
    private static final Duration LONGEST_INTRODUCTION = Duration.ofSeconds(10);
    private static final Duration INTRODUCTION_LOOK = Duration.ofMillis(100);
    private static final Logger LOG = LoggerFactory.getLogger(Consumer.class);

    private final Bus bus;
    private final ConsumerConfig config;
    private final ConsumerStore<T> store;
    private final Journal journal = new Journal(Clock.systemUTC());
    private final FailureLog failures;
    private final Patience patience;
    private final TimeLimit time;
    private final DeadlineWarning deadline;
    private final Pipeline<T> pipeline;
    private final RedriveStep<T> redrives;
    private final BatchThreads<T> batches;
    private final MemberId member;
    private final HandoverStep<T> handover;
    private final Optional<HandoverIntake> handedOver;
    private final ScheduledThreadPoolExecutor keeper;
    private final List<Runnable> companions = new CopyOnWriteArrayList<>();
    private final Object turn = new Object();
    /** Guarded by turn. */
    private @Nullable Subscription subscription;

    private volatile boolean pausedHere;
    private volatile boolean pausedByOperator;
    private volatile boolean closed;

    private Consumer(Bus bus, ConsumerConfig config, Handlers<T> handlers, Equipment<T> equipment) {
        this.bus = bus;
        this.config = config;
        this.store = equipment.store();
        this.failures = failuresOf(config);
        this.patience = new Patience(journal, failures);
        this.member = new MemberId(config.name(), Member.name());
        this.deadline = new DeadlineWarning(config.name(), bus, journal);
        this.time = new TimeLimit(config.handlerTime(), config.name());
        this.pipeline = new Pipeline<>(
                handlers,
                new HandlerStep<>(config, equipment.inbox(), time, journal, patience),
                equipment.deadLetters(),
                new Pipeline.Origin(config.name(), config.kind(), member.member()),
                journal);
        this.handover = new HandoverStep<>(config, member, handlers, store.handovers(), journal);
        this.handedOver = store.handovers()
                .map(from ->
                        new HandoverIntake(member, from, config.subscriber().limits(), new HandoverReceiver()));
        this.redrives = new RedriveStep<>(config.name(), store, pipeline, handover::isElsewhere, System::nanoTime);
        this.batches = new BatchThreads<>(
                config,
                new BatchThreads.Steps<>(new BatchStep<>(config, equipment.inbox(), journal), pipeline, handover),
                patience,
                journal,
                this::handle);
        // Two, so that a redriven letter whose handler takes long does not silence the reports.
        this.keeper =
                new ScheduledThreadPoolExecutor(2, work -> Threads.daemon("posthorn-consumer-" + config.name(), work));
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

    private void begin() {
        if (config.batch().isOn()) {
            batches.start();
        }
        introduce(); // whether it is paused, too, must be known before anything is received
        arrange();
        long every = config.reportEvery().toNanos();
        var unusedReports = keeper.scheduleWithFixedDelay(this::keep, every, every, TimeUnit.NANOSECONDS);
        var unusedLetters = keeper.scheduleWithFixedDelay(this::redrive, 0, every, TimeUnit.NANOSECONDS);
        takeHandedOver();
    }

    /**
     * Registers before anything is received, and waits until the other members know the handlers of this one: one that does not
     * would take an event that only this member wants for one that nobody wants.
     */
    private void introduce() {
        long end = System.nanoTime() + LONGEST_INTRODUCTION.toNanos();
        try {
            sendReport();
            while (handover.others().mixed() && !handover.others().agreed() && System.nanoTime() - end < 0) {
                Thread.sleep(INTRODUCTION_LOOK.toMillis());
                sendReport();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (Throwable failed) { // it starts all the same, and reports again
            failed(REPORT, failed);
        }
    }

    private void sendReport() {
        long sent = System.nanoTime();
        ConsumerReport report = report();
        ConsumerState state = store.report(report);
        journal.unhandled().reported(report.registration().unhandled());
        handover.learned(state.others(), sent);
        pausedByOperator = state.paused();
    }

    /** Again and again, soon while there may be something, by one thread at a time. */
    private void takeHandedOver() {
        Duration pause = config.reportEvery();
        try {
            while (handover.isNeeded() && !closed && handedOver.orElseThrow().runOnce(!isPaused())) {
                LOG.trace("Consumer {} takes what other members handed over", config.name());
            }
            pause = handover.isNeeded() ? HANDOVER_LOOK : pause;
            failures.recovered(HANDOVER);
        } catch (Throwable failed) { // an Error would end the schedule without a word
            failed(HANDOVER, failed);
        }
        try {
            if (!closed) {
                var unused = keeper.schedule(this::takeHandedOver, pause.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (RejectedExecutionException end) {
            LOG.debug("Consumer {} ends", config.name());
        }
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
        return journal.report(
                member,
                elsewhere.or(time::overdue),
                deadline.warning(),
                new ConsumerReport.Registration(
                        handover.registration(),
                        handover.others().digest(),
                        config.reportEvery(),
                        journal.unhandled().unreported()));
    }

    /**
     * A publisher for a replay that goes straight to this consumer: accepted means handled. What was handled before is handled
     * once more, and once for each replay. The caller closes it.
     */
    public Publisher replays() {
        return new ReplayIntake<>(config.name(), pipeline, handover::isForOthers);
    }

    /** Reports, and pauses or resumes as an operator asked. */
    private void keep() {
        try {
            sendReport();
            arrange();
            deadline.warnOnce();
            time.overdue()
                    .ifPresentOrElse(
                            why -> failures.lasting(HANDLER_TIME, why), () -> failures.recovered(HANDLER_TIME));
            failures.recovered(REPORT);
        } catch (InboxException outage) {
            failed(REPORT, outage);
            arrange();
        } catch (Throwable unexpected) { // an Error would end the schedule without a word
            failed(REPORT, unexpected);
        }
    }

    private void redrive() {
        try {
            while (!isPaused() && !closed && redrives.runOnce() > 0) {
                LOG.debug("Redriven letters of {} were handled", config.name());
            }
            failures.recovered(LETTERS);
        } catch (StoppedException end) {
            LOG.debug("Consumer {} ends", config.name());
        } catch (Throwable failed) { // an Error would end the schedule without a word
            failed(LETTERS, failed);
        }
    }

    private void failed(String part, Throwable cause) {
        journal.outage(cause instanceof InboxException ? String.valueOf(cause.getMessage()) : Outcome.reasonOf(cause));
        failures.failed(part, cause);
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

        @Override
        public boolean receivesBeyondFilter(Event event) {
            return handover.isForOthers(event);
        }
    }

    /** Receives what other members handed over. */
    private final class HandoverReceiver implements Receiver {

        private final Pipeline<T> local = pipeline.withoutTransport();

        @Override
        public void receive(Delivery delivery) {
            settle(
                    delivery,
                    arrived -> config.subscriber().wants(delivery.event())
                            ? local.handle(delivery.event(), arrived)
                            : local.unhandled(delivery.event(), arrived));
        }

        @Override
        public void undecodable(RawDelivery raw) {
            raw.settle(local.undecodable(raw.message(), raw.reason(), raw.metadata()));
        }
    }

    private void handle(Delivery delivery) {
        settle(
                delivery,
                arrived ->
                        handover.passOn(delivery.event()).orElseGet(() -> pipeline.handle(delivery.event(), arrived)));
    }

    private void settle(Delivery delivery, Function<Pipeline.Arrived, Verdict> handling) {
        try {
            Pipeline.Arrived arrived = new Pipeline.Arrived(delivery.attempt(), delivery.metadata());
            delivery.settle(patience.until(() -> handling.apply(arrived)));
        } catch (StoppedException end) {
            LOG.debug(
                    "Event {} was not handled before the end", delivery.event().id());
            if (!patience.isStopped()) { // somebody interrupted the handler; if the subscription ends this is ignored
                delivery.settle(Verdict.retry(INTERRUPTED, "the handler was interrupted"));
            }
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
        handedOver.ifPresent(HandoverIntake::close);
        companions.forEach(Runnable::run);
        batches.close();
        time.close();
        try {
            store.leave(member.consumer(), member.member());
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
