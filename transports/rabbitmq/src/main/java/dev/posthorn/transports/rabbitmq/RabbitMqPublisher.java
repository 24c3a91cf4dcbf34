package dev.posthorn.transports.rabbitmq;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Pauses;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends on one channel from one thread of its own, so that {@link #publish} never waits for a socket; another thread
 * watches the time. Connects when there is something to send, no more often than its pauses allow.
 */
final class RabbitMqPublisher implements Publisher {

    private static final String CLOSED = "the publisher is closed";
    private static final long LOOK_MILLIS = 250;
    private static final int BATCH = 256;
    private static final long LONGEST_CLOSE_MILLIS = 2_000;

    private final RabbitMqConfig config;
    private final ReturnedEvents returns;
    private final Consumer<AutoCloseable> onClose;
    private final BlockingQueue<Sending> waiting = new LinkedBlockingQueue<>();
    /** All that may be unsettled, in the order in which it is sent; so that is also whose time ends first. */
    private final Queue<Sending> unsettled = new ConcurrentLinkedQueue<>();

    private final ExecutorService callbacks = Threads.fleeting("posthorn-rabbitmq-publisher-callbacks", 1);
    private final Thread sender = Threads.daemon("posthorn-rabbitmq-publisher", this::send);
    private final Thread clock = Threads.daemon("posthorn-rabbitmq-publisher-clock", this::watch);
    private final Pauses pauses = Pauses.scattered();
    private volatile @Nullable PublishingLink link;
    private volatile boolean closed;
    /** When the sender's thread was last done with something. */
    private volatile long progressAt = System.nanoTime();
    /** Of the sender's thread. */
    private String trouble = "not connected yet";

    RabbitMqPublisher(RabbitMqConfig config, ReturnedEvents returns, Consumer<AutoCloseable> onClose) {
        this.config = config;
        this.returns = returns;
        this.onClose = onClose;
        sender.start();
        clock.start();
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        Duration patience = config.timeouts().answer();
        for (Publication publication : publications) {
            if (closed) {
                publication.settle(Outcome.unavailable(CLOSED));
            } else {
                Sending sending = new Sending(publication, patience);
                unsettled.add(sending);
                waiting.add(sending);
            }
        }
        if (closed) {
            giveUpAll();
        }
    }

    private void send() {
        List<Sending> batch = new ArrayList<>(BATCH);
        try {
            while (!closed) {
                batch.add(waiting.take());
                progressAt = System.nanoTime();
                waiting.drainTo(batch, BATCH - 1);
                for (Sending sending : batch) {
                    send(sending);
                }
                batch.clear();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Sending sending) {
        PublishingLink working = linked();
        if (working == null) {
            sending.settle(Outcome.unavailable(trouble));
        } else {
            working.send(sending);
        }
        progressAt = System.nanoTime();
    }

    /** The link, a new one if need be and allowed; null if there is none now. */
    private @Nullable PublishingLink linked() {
        @Nullable PublishingLink current = link;
        if (current != null) {
            @Nullable String lost = current.lost();
            if (lost == null) {
                return current;
            }
            link = null;
            if (current.confirmedAny()) {
                pauses.succeeded();
            }
            current.close(0);
            pause(lost);
        }
        if (closed || !pauses.isOver()) {
            return null;
        }
        return connect();
    }

    private @Nullable PublishingLink connect() {
        try {
            PublishingLink fresh = PublishingLink.open(config, returns, callbacks);
            link = fresh;
            if (closed) {
                fresh.close(0);
            }
            return fresh;
        } catch (IOException | TimeoutException | RuntimeException failed) {
            pause(Connector.reasonOf(failed));
            return null;
        }
    }

    private void pause(String reason) {
        trouble = reason;
        pauses.failed();
    }

    private void watch() {
        try {
            while (!closed) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                for (Sending oldest = unsettled.peek();
                        oldest != null && isOver(oldest, System.nanoTime());
                        oldest = unsettled.peek()) {
                    unsettled.poll();
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Whether nothing more is to be done about it, because it is settled now. What waits to be sent has all the time in the
     * world while others are sent; only when nothing is, the broker can not be reached.
     */
    private boolean isOver(Sending oldest, long now) {
        @Nullable PublishingLink current = link;
        if (oldest.isOverdue(now)) {
            if (current == null) {
                oldest.giveUp("no answer in time");
            } else {
                current.giveUp(oldest, now);
            }
        } else if (!oldest.wasSent()
                && now - progressAt > config.timeouts().answer().toNanos()) {
            oldest.giveUp("it was not sent within " + config.timeouts().answer().toMillis()
                    + " ms, because the broker takes nothing");
        }
        return oldest.isSettled();
    }

    @Override
    public void close() {
        closed = true;
        sender.interrupt();
        clock.interrupt();
        @Nullable PublishingLink current = link;
        if (current != null) {
            current.close((int)
                    Math.min(LONGEST_CLOSE_MILLIS, config.timeouts().answer().toMillis()));
        }
        giveUpAll();
        onClose.accept(this);
    }

    private void giveUpAll() {
        for (Sending sending = unsettled.poll(); sending != null; sending = unsettled.poll()) {
            sending.giveUp(CLOSED);
        }
    }
}
