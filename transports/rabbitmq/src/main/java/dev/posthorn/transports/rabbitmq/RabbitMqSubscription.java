package dev.posthorn.transports.rabbitmq;

import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Pauses;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One member of a subscriber; its own thread connects, acknowledges, shares and connects again. Thread-safe. */
final class RabbitMqSubscription implements Subscription, MemberSession.Member {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitMqSubscription.class);
    private static final String CALL = "call";
    private static final Duration SHARING = Duration.ofSeconds(3);

    private final RabbitMqConfig config;
    private final Consumer<AutoCloseable> onClose;
    private final Subscriber subscriber;
    private final Handout handout;
    private final ScheduledExecutorService thread;
    private final ExecutorService callbacks;
    private final FailureLog failures;
    private volatile Optional<String> outage = Optional.of("not connected yet");
    private volatile boolean closed;
    /** Of the thread. */
    private final Pauses pauses = Pauses.scattered();

    private @Nullable MemberSession session;

    RabbitMqSubscription(
            RabbitMqConfig config, Subscriber subscriber, Receiver receiver, Consumer<AutoCloseable> onClose) {
        this.config = config;
        this.onClose = onClose;
        this.subscriber = subscriber;
        this.failures = new FailureLog(LOG, "Receiving", "subscriber=" + subscriber.name());
        this.thread = Threads.timed("posthorn-rabbitmq-" + subscriber.name());
        this.callbacks = Threads.fleeting("posthorn-rabbitmq-" + subscriber.name() + "-deliveries", 1);
        this.handout = new Handout(subscriber, receiver, config.limits().prefetch());
    }

    /** Tries to connect once before it returns, and goes on trying if that fails. */
    void start() {
        await(thread.submit(this::connect));
        if (config.queues().takeTurns()) {
            var unused = thread.scheduleWithFixedDelay(
                    this::share, SHARING.toMillis(), SHARING.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void connect() {
        if (closed) {
            return;
        }
        try {
            session = MemberSession.open(config, subscriber, this, callbacks);
            pauses.succeeded();
            outage = Optional.empty();
            failures.recovered();
        } catch (IOException | TimeoutException | RuntimeException failed) {
            connectLater(Connector.reasonOf(failed));
        }
    }

    private void connectLater(String reason) {
        failures.failed(reason);
        outage = Optional.of(reason);
        if (!closed) {
            var unused = thread.schedule(this::connect, pauses.failed().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void share() {
        if (session != null) {
            session.share();
        }
    }

    @Override
    public void broken(MemberSession broken, String reason) {
        execute(() -> {
            broken.abort();
            if (session == broken) {
                session = null;
                connectLater(reason);
            }
        });
    }

    @Override
    public Handout handout() {
        return handout;
    }

    @Override
    public void execute(Runnable work) {
        try {
            thread.execute(work);
        } catch (RejectedExecutionException ended) {
            LOG.debug("Subscriber {} is closed; what was not acknowledged will come again.", subscriber.name());
        }
    }

    @Override
    public Subscriber subscriber() {
        return subscriber;
    }

    @Override
    public Status status() {
        return handout.status(outage);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        handout.close();
        await(thread.submit(this::awaitDeadLetters));
        await(thread.submit(this::end)); // behind the acknowledgements that followed from those
        thread.shutdownNow();
        onClose.accept(this);
    }

    private void awaitDeadLetters() {
        try {
            if (session != null) {
                session.deadLetters().awaitConfirms(config.timeouts().answer().toMillis());
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        if (session != null) {
            session.close(Math.toIntExact(config.timeouts().connect().toMillis()));
        }
    }

    private void await(Future<?> work) {
        try {
            work.get(
                    config.timeouts().answer().plus(config.timeouts().connect()).toMillis(), TimeUnit.MILLISECONDS);
            failures.recovered(CALL);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException late) {
            LOG.warn("Subscriber {} waits for the broker, which does not answer.", subscriber.name());
        } catch (ExecutionException unexpected) {
            failures.failed(CALL, unexpected);
        }
    }
}
