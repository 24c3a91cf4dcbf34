package dev.posthorn.transports.snssqs;

import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Pauses;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Asks SQS for messages, as many as there is room for, and offers them in their order. Used by one thread. */
final class Poller {

    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
    private static final int MOST_MESSAGES = 10;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /** What it works with. */
    record Parts(Clients clients, Holdings holdings, Settlements settlements, Handout handout) {}

    private final SnsSqsConfig config;
    private final Subscriber subscriber;
    private final Layout layout;
    private final Queues queues;
    private final Parts parts;
    private final Pauses pauses = Pauses.scattered();
    private final FailureLog failures;
    private volatile @Nullable QueueAddress address;
    private volatile @Nullable String trouble = "SQS was not reached yet";
    /** The same for a call that is made again because its answer was lost: then SQS brings what it had given. */
    private String attempt = UUID.randomUUID().toString();

    Poller(SnsSqsConfig config, Subscriber subscriber, Parts parts) {
        this.config = config;
        this.subscriber = subscriber;
        this.failures = new FailureLog(LOG, "Receiving", "subscriber=" + subscriber.name());
        this.layout = Layout.of(config.names(), subscriber);
        this.queues = new Queues(config, parts.clients());
        this.parts = parts;
    }

    /** Null until it was found. */
    @Nullable
    QueueAddress address() {
        return address;
    }

    /** Why nothing can be received. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** How long to wait before the next time. */
    Duration pause() {
        return pauses.left();
    }

    void runOnce() throws InterruptedException {
        try {
            QueueAddress queue = address;
            if (queue == null) {
                address = queues.provide(layout, subscriber);
            } else {
                int room = parts.handout().awaitRoom(1, LONGEST_WAIT);
                if (room > 0) {
                    receive(queue.queue(), Math.min(room, MOST_MESSAGES));
                }
            }
            trouble = null;
            failures.recovered();
            pauses.succeeded();
        } catch (RuntimeException failure) {
            failed(failure);
        }
    }

    private void failed(RuntimeException failure) {
        String reason = Failures.reason(failure);
        if (Failures.isMissing(failure)) {
            address = null; // made again, if it may be
            reason = "the queue " + layout.queue() + " is missing: " + reason;
        }
        failures.failed(reason);
        trouble = reason;
        pauses.failedTogether();
    }

    private void receive(String queue, int most) {
        Duration visibility = config.timing().visibility();
        Duration poll = config.timing().poll();
        long asked = System.nanoTime();
        List<Message> messages = parts.clients()
                .sqs()
                .receiveMessage(request -> request.queueUrl(queue)
                        .maxNumberOfMessages(most)
                        .waitTimeSeconds((int) poll.toSeconds())
                        .visibilityTimeout((int) visibility.toSeconds())
                        .receiveRequestAttemptId(attempt)
                        .messageAttributeNames("All")
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                        .overrideConfiguration(options ->
                                options.apiCallTimeout(config.timing().answer().plus(poll))))
                .messages();
        attempt = UUID.randomUUID().toString();
        // Hidden since it was given, which was not before it was asked for; with nothing given there may have been a
        // wait.
        long given = Math.max(asked, System.nanoTime() - visibility.toNanos() / 2);
        messages.forEach(message -> offer(message, given + visibility.toNanos()));
    }

    private void offer(Message message, long heldUntil) {
        SqsArrival arrival = new SqsArrival(message, layout.queue(), parts.settlements(), heldUntil);
        if (parts.holdings().add(arrival, heldUntil)) {
            parts.handout().offer(Wire.received(message).message(), arrival);
        }
    }
}
