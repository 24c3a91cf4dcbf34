package dev.posthorn.transports.snssqs;

import dev.posthorn.transport.Handout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;

/**
 * Keeps messages hidden from others while they are here. What SQS has given to somebody else is dropped, together with all that
 * follows it in its group: that must not be handled before it, so it is given back.
 */
final class Heartbeat {

    static final int MOST_ENTRIES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final SqsClient sqs;
    private final Supplier<@Nullable QueueAddress> address;
    private final Holdings holdings;
    private final Handout handout;
    private final Duration visibility;

    Heartbeat(
            SqsClient sqs,
            Supplier<@Nullable QueueAddress> address,
            Holdings holdings,
            Handout handout,
            Duration visibility) {
        this.sqs = sqs;
        this.address = address;
        this.holdings = holdings;
        this.handout = handout;
        this.visibility = visibility;
    }

    void runOnce() {
        QueueAddress queue = address.get();
        List<SqsArrival> all = holdings.all();
        for (int from = 0; queue != null && from < all.size(); from += MOST_ENTRIES) {
            List<SqsArrival> here = all.subList(from, Math.min(all.size(), from + MOST_ENTRIES)).stream()
                    .filter(holdings::contains)
                    .toList();
            if (!here.isEmpty()) {
                extend(queue.queue(), here);
            }
        }
    }

    private void extend(String queue, List<SqsArrival> arrivals) {
        long until = System.nanoTime() + visibility.toNanos();
        try {
            Map<String, BatchResultErrorEntry> failed = changeVisibility(sqs, queue, arrivals, visibility);
            for (int i = 0; i < arrivals.size(); i++) {
                BatchResultErrorEntry failure = failed.get(Integer.toString(i));
                if (failure == null) {
                    arrivals.get(i).heldUntil(until);
                } else if (Boolean.TRUE.equals(failure.senderFault())) {
                    drop(queue, arrivals.get(i), failure);
                }
            }
        } catch (RuntimeException outage) { // told by the poller; what is hidden no longer is not handed over
            LOG.debug("Messages of {} could not be kept hidden: {}", queue, Failures.reason(outage));
        }
    }

    private void drop(String queue, SqsArrival arrival, BatchResultErrorEntry failure) {
        if (!holdings.contains(arrival) || arrival.isSettled()) {
            return;
        }
        List<SqsArrival> behind = holdings.behind(arrival);
        LOG.warn(
                "Message {} is no longer ours and will come again, with {} behind it in its group: {}",
                arrival.id(),
                behind.size(),
                failure.message());
        holdings.remove(arrival);
        behind.forEach(holdings::remove);
        handout.forget(other -> other == arrival || behind.contains(other));
        for (int from = 0; from < behind.size(); from += MOST_ENTRIES) {
            List<SqsArrival> some = behind.subList(from, Math.min(behind.size(), from + MOST_ENTRIES));
            var unused = changeVisibility(sqs, queue, some, Duration.ZERO);
        }
    }

    /** Which were not changed, by their place in the list. */
    static Map<String, BatchResultErrorEntry> changeVisibility(
            SqsClient sqs, String queue, List<SqsArrival> arrivals, Duration visibility) {
        List<ChangeMessageVisibilityBatchRequestEntry> entries = IntStream.range(0, arrivals.size())
                .mapToObj(i -> ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(arrivals.get(i).receipt())
                        .visibilityTimeout((int) visibility.toSeconds())
                        .build())
                .toList();
        return sqs
                .changeMessageVisibilityBatch(request -> request.queueUrl(queue).entries(entries))
                .failed()
                .stream()
                .collect(Collectors.toMap(BatchResultErrorEntry::id, Function.identity()));
    }
}
