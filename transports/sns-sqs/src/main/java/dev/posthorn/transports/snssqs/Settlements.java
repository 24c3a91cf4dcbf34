package dev.posthorn.transports.snssqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;

/**
 * What receivers have said, on its way to SQS. What is done is deleted, ten in a call. A dead letter is sent first, and its
 * message deleted when that was answered. What fails is tried again.
 */
final class Settlements {

    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private record Rejected(SqsArrival arrival, String reason, Map<String, String> about) {}

    private final SqsClient sqs;
    private final DeadLetters deadLetters;
    private final Holdings holdings;
    private final BlockingQueue<SqsArrival> done = new LinkedBlockingQueue<>();
    private final BlockingQueue<Rejected> rejected = new LinkedBlockingQueue<>();
    private final BlockingQueue<SqsArrival> givenBack = new LinkedBlockingQueue<>();
    private final Semaphore wake = new Semaphore(0);
    private volatile @Nullable String trouble;

    Settlements(SqsClient sqs, DeadLetters deadLetters, Holdings holdings) {
        this.sqs = sqs;
        this.deadLetters = deadLetters;
        this.holdings = holdings;
    }

    void done(SqsArrival arrival) {
        done.add(arrival);
        wake.release();
    }

    void reject(SqsArrival arrival, String reason, Map<String, String> about) {
        rejected.add(new Rejected(arrival, reason, about));
        wake.release();
    }

    void giveBack(SqsArrival arrival) {
        givenBack.add(arrival);
        wake.release();
    }

    /** Ends the waiting. */
    void wake() {
        wake.release();
    }

    /** Why the last one could not be brought to SQS. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** Waits until there is something. */
    void await(Duration longest) throws InterruptedException {
        if (isEmpty()) {
            var unused = wake.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS);
        }
        wake.drainPermits();
    }

    boolean isEmpty() {
        return done.isEmpty() && rejected.isEmpty() && givenBack.isEmpty();
    }

    /** False if something failed; then it is still here, and a pause is due. */
    boolean runOnce(QueueAddress address) {
        try {
            sendDeadLetters(address);
            delete(address.queue());
            giveBack(address.queue());
            trouble = null;
            return true;
        } catch (RuntimeException failure) {
            trouble = "what was handled can not be settled: " + Failures.reason(failure);
            LOG.debug("{}", trouble);
            return false;
        }
    }

    static Duration pause() {
        return PAUSE;
    }

    private void sendDeadLetters(QueueAddress address) {
        for (Rejected next = rejected.peek(); next != null; next = rejected.peek()) {
            if (holdings.contains(next.arrival())) {
                deadLetters.send(address, next.arrival(), next.reason(), next.about());
                done.add(next.arrival());
            }
            rejected.remove();
        }
    }

    private void delete(String queue) {
        List<SqsArrival> batch = new ArrayList<>();
        for (var unused = done.drainTo(batch, Heartbeat.MOST_ENTRIES);
                !batch.isEmpty();
                unused = done.drainTo(batch, Heartbeat.MOST_ENTRIES)) {
            try {
                delete(queue, batch);
            } catch (RuntimeException failure) {
                done.addAll(batch);
                throw failure;
            }
            batch.clear();
        }
    }

    private void delete(String queue, List<SqsArrival> arrivals) {
        List<DeleteMessageBatchRequestEntry> entries = IntStream.range(0, arrivals.size())
                .mapToObj(i -> DeleteMessageBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(arrivals.get(i).receipt())
                        .build())
                .toList();
        Map<String, BatchResultErrorEntry> failed =
                sqs.deleteMessageBatch(request -> request.queueUrl(queue).entries(entries)).failed().stream()
                        .collect(Collectors.toMap(BatchResultErrorEntry::id, Function.identity()));
        for (int i = 0; i < arrivals.size(); i++) {
            SqsArrival arrival = arrivals.get(i);
            BatchResultErrorEntry failure = failed.get(Integer.toString(i));
            if (failure == null) {
                holdings.remove(arrival);
            } else if (Boolean.TRUE.equals(failure.senderFault())) {
                LOG.warn("Message {} was handled, but will come again: {}", arrival.id(), failure.message());
                holdings.remove(arrival);
            } else {
                done.add(arrival);
            }
        }
    }

    /** First those that came first: who gets one of a group must not get it before an earlier one. */
    private void giveBack(String queue) {
        List<SqsArrival> all = new ArrayList<>();
        givenBack.drainTo(all);
        all.removeIf(arrival -> !holdings.contains(arrival));
        all.sort(Comparator.comparing(SqsArrival::sequence));
        for (int from = 0; from < all.size(); from += Heartbeat.MOST_ENTRIES) {
            List<SqsArrival> some = all.subList(from, Math.min(all.size(), from + Heartbeat.MOST_ENTRIES));
            some.forEach(holdings::remove);
            var unused = Heartbeat.changeVisibility(sqs, queue, some, Duration.ZERO);
        }
    }
}
