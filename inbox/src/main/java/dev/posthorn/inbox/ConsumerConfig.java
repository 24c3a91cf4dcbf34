package dev.posthorn.inbox;

import dev.posthorn.deadletter.Source;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Who consumes, and how.
 *
 * @param subscriber name, domains, types, concurrency and prefetch
 * @param kind what it is, such as projector or saga, for its dead letters. Default consumer
 * @param retries when a failed handling is tried again, and how often. Default {@link #RETRIES}. Too long: a key waits, and the
 *     event counts against the prefetch, and some brokers take it away after half an hour. Too short: what would have passed by
 *     itself becomes a dead letter
 * @param giveUp whether the last attempt makes a dead letter. Default {@link GiveUp#AUTOMATIC}
 * @param handlerTime how long one handling may take (1 min). Too low: slow work is tried again and again. Too high: a handler
 *     that hangs holds its key for that long
 * @param batch how many events share a transaction. Default {@link Batch#NONE}
 * @param reportEvery how often the member reports how it is, and asks whether it is paused and what is redriven (1 s)
 * @param unhandled what becomes of an event that no handler of any member wants. Default {@link Unhandled#IGNORE}
 */
public record ConsumerConfig(
        Subscriber subscriber,
        String kind,
        RetryPolicy retries,
        GiveUp giveUp,
        Duration handlerTime,
        Batch batch,
        Duration reportEvery,
        Unhandled unhandled) {

    /** Ten attempts within four minutes: 0.2 s, doubled up to a minute, with ±20 % jitter. */
    public static final RetryPolicy RETRIES =
            RetryPolicy.exponential(10, Duration.ofMillis(100), Duration.ofMinutes(1), 0.2);

    /** What makes a dead letter. */
    public enum GiveUp {
        /** The last failed attempt, and whatever a handler rejects. */
        AUTOMATIC,
        /** Only what a handler rejects; all else is tried for ever, at the policy's last pause. */
        EXPLICIT
    }

    /**
     * Many events in one transaction, and one by one when one of them fails.
     *
     * @param events at most so many. Too high: a failure undoes more, and locks are held longer
     * @param patience how long the first waits for others. The subscriber's prefetch is made large enough, unless it was chosen
     */
    public record Batch(int events, Duration patience) {

        public static final Batch NONE = new Batch(1, Duration.ZERO);

        boolean isOn() {
            return events > 1;
        }
    }

    public ConsumerConfig {
        List<String> faults = new ArrayList<>();
        if (handlerTime.isNegative() || handlerTime.isZero()) {
            faults.add("handler-time is " + handlerTime + " and must be positive");
        }
        if (batch.events() < 1 || batch.patience().isNegative()) {
            faults.add("batch is " + batch + " and must have at least 1 event and no negative patience");
        }
        if (reportEvery.toMillis() < 10) {
            faults.add("report-every is " + reportEvery + " and must be at least 10 ms");
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    "Consumer " + subscriber.name() + " can not run like this: " + String.join("; ", faults));
        }
    }

    public static ConsumerConfig of(Subscriber subscriber) {
        return new ConsumerConfig(
                subscriber,
                Source.CONSUMER,
                RETRIES,
                GiveUp.AUTOMATIC,
                Duration.ofMinutes(1),
                Batch.NONE,
                Duration.ofSeconds(1),
                Unhandled.IGNORE);
    }

    public ConsumerConfig kind(String kind) {
        return new ConsumerConfig(subscriber, kind, retries, giveUp, handlerTime, batch, reportEvery, unhandled);
    }

    public ConsumerConfig retries(RetryPolicy retries) {
        return new ConsumerConfig(subscriber, kind, retries, giveUp, handlerTime, batch, reportEvery, unhandled);
    }

    public ConsumerConfig giveUp(GiveUp giveUp) {
        return new ConsumerConfig(subscriber, kind, retries, giveUp, handlerTime, batch, reportEvery, unhandled);
    }

    public ConsumerConfig handlerTime(Duration handlerTime) {
        return new ConsumerConfig(subscriber, kind, retries, giveUp, handlerTime, batch, reportEvery, unhandled);
    }

    public ConsumerConfig batch(int events, Duration patience) {
        return new ConsumerConfig(
                subscriber, kind, retries, giveUp, handlerTime, new Batch(events, patience), reportEvery, unhandled);
    }

    public ConsumerConfig reportEvery(Duration reportEvery) {
        return new ConsumerConfig(subscriber, kind, retries, giveUp, handlerTime, batch, reportEvery, unhandled);
    }

    public ConsumerConfig unhandled(Unhandled unhandled) {
        return new ConsumerConfig(subscriber, kind, retries, giveUp, handlerTime, batch, reportEvery, unhandled);
    }

    String name() {
        return subscriber.name();
    }
}
