package dev.posthorn.transports.snssqs;

import dev.posthorn.transport.FencedReceiver;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Threads;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One member of a subscriber, with a thread that receives, one that settles and one that keeps messages hidden. */
final class SqsSubscription implements Subscription {

    /** Until then the heartbeat has found out whose it is, and dropped it or not. */
    private static final Verdict NOT_OURS =
            Verdict.retry(Duration.ofMillis(500), "SQS may have given it to another member");

    private static final Logger LOG = LoggerFactory.getLogger(SqsSubscription.class);
    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final int CONNECTIONS = 4;

    private final SnsSqsConfig config;
    private final Subscriber subscriber;
    private final Clients clients;
    private final Settlements settlements;
    private final Handout handout;
    private final Poller poller;
    private final Heartbeat heartbeat;
    private final Thread polling;
    private final Thread settling;
    private final ScheduledExecutorService beating;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Waited on, in pauses. */
    private final CountDownLatch stopped = new CountDownLatch(1);

    private volatile boolean drained;

    SqsSubscription(SnsSqsConfig config, Subscriber subscriber, Receiver receiver) {
        this.config = config;
        this.subscriber = subscriber;
        this.clients = new Clients(config, CONNECTIONS);
        Holdings holdings = new Holdings();
        this.settlements = new Settlements(clients.sqs(), new DeadLetters(clients.sqs(), subscriber.name()), holdings);
        this.handout = new Handout(
                subscriber,
                new FencedReceiver(
                        receiver,
                        receipt -> holdings.holds(receipt.metadata().getOrDefault(SqsArrival.MESSAGE_ID, "")),
                        NOT_OURS),
                config.limits().prefetch());
        this.poller = new Poller(config, subscriber, new Poller.Parts(clients, holdings, settlements, handout));
        this.heartbeat = new Heartbeat(
                clients.sqs(),
                poller::address,
                holdings,
                handout,
                config.timing().visibility());
        String name = "posthorn-sqs-" + subscriber.name();
        this.polling = Threads.daemon(name, this::poll);
        this.settling = Threads.daemon(name + "-settle", this::settle);
        this.beating = Threads.timed(name + "-heartbeat");
    }

    /** Returns when it has its queue, or could not reach it. */
    void start() {
        polling.start();
        settling.start();
        long third = config.timing().visibility().toMillis() / 3;
        var unused = beating.scheduleWithFixedDelay(heartbeat::runOnce, third, third, TimeUnit.MILLISECONDS);
        try {
            begun.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void poll() {
        try {
            while (!closed.get()) {
                poller.runOnce();
                begun.countDown();
                var unused = stopped.await(poller.pause().toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            begun.countDown();
        }
    }

    private void settle() {
        try {
            while (!drained || !settlements.isEmpty()) {
                settlements.await(IDLE);
                QueueAddress address = poller.address();
                if (!settlements.isEmpty() && (address == null || !settlements.runOnce(address))) {
                    TimeUnit.NANOSECONDS.sleep(Settlements.pause().toNanos());
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Subscriber subscriber() {
        return subscriber;
    }

    @Override
    public Status status() {
        @Nullable String receiving = poller.trouble();
        return handout.status(Optional.ofNullable(receiving == null ? settlements.trouble() : receiving));
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Also waits for a call that is waiting for messages: what it may still bring has to go back. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        stopped.countDown();
        handout.close();
        try {
            Duration answer = config.timing().answer();
            polling.join(config.timing().poll().plus(answer).toMillis());
            beating.shutdown(); // so that nothing is hidden again that was given back
            var unused = beating.awaitTermination(answer.toMillis(), TimeUnit.MILLISECONDS);
            drained = true;
            settlements.wake();
            settling.join(answer.toMillis());
            if (settling.isAlive()) {
                LOG.warn("Subscriber {} could not settle everything; that will come again.", subscriber.name());
                settling.interrupt();
            }
        } catch (InterruptedException stop) {
            polling.interrupt();
            settling.interrupt();
            Thread.currentThread().interrupt();
        }
        beating.shutdownNow();
        clients.close();
    }
}
