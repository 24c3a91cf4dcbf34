package dev.posthorn.transports.googlepubsub;

import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import java.time.Duration;
import java.util.List;

/** Extends the deadlines of all that is here, handed over or not, three times as often as would be needed. */
final class Leases {

    private static final int MOST_AT_ONCE = 1_000;
    private static final int SPARE = 3;

    private final Link link;
    private final Duration deadline;
    private long dueAt;

    Leases(Link link, Duration deadline) {
        this.link = link;
        this.deadline = deadline;
        this.dueAt = System.nanoTime() + deadline.toNanos() / SPARE;
    }

    Duration untilDue() {
        return Duration.ofNanos(Math.max(0, dueAt - System.nanoTime()));
    }

    /** Without waiting for the answers. What can not be extended is lost by and by. */
    void extend(Iterable<Feed> feeds) {
        long now = System.nanoTime();
        boolean due = dueAt - now <= 0;
        if (due) {
            dueAt = now + deadline.toNanos() / SPARE;
        }
        for (Feed feed : feeds) {
            // What has just come has the subscription's deadline, which may be another one.
            List<PubSubArrival> fresh = feed.takeFresh();
            List<PubSubArrival> here = due ? feed.here() : fresh;
            for (int from = 0; from < here.size(); from += MOST_AT_ONCE) {
                extend(feed, here.subList(from, Math.min(here.size(), from + MOST_AT_ONCE)), now);
            }
        }
    }

    private void extend(Feed feed, List<PubSubArrival> arrivals, long now) {
        ModifyAckDeadlineRequest request = ModifyAckDeadlineRequest.newBuilder()
                .setSubscription(feed.subscription())
                .addAllAckIds(arrivals.stream().map(PubSubArrival::ackId).toList())
                .setAckDeadlineSeconds((int) deadline.toSeconds())
                .build();
        var unused = link.call(Rpc.MODIFY_ACK_DEADLINE, request)
                .thenAccept(extended -> arrivals.forEach(arrival -> {
                    arrival.leasedUntil(now + deadline.toNanos());
                }));
    }
}
