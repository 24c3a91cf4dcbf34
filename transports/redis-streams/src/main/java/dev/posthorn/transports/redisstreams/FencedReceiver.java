package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receipt;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Verdict;
import java.time.Duration;

/**
 * Looks at the lease right before each handing over: a process that was stopped for longer than its lease must not go on with
 * what another member has by now.
 */
final class FencedReceiver implements Receiver {

    /** Until then the member has noticed, and dropped it. */
    private static final Verdict LATER = Verdict.retry(Duration.ofSeconds(1), "the lease of its shard has run out");

    private final Receiver receiver;
    private final Membership membership;

    FencedReceiver(Receiver receiver, Membership membership) {
        this.receiver = receiver;
        this.membership = membership;
    }

    @Override
    public void receive(Delivery delivery) {
        if (isOurs(delivery)) {
            receiver.receive(delivery);
        } else {
            delivery.settle(LATER);
        }
    }

    @Override
    public void undecodable(RawDelivery raw) {
        if (isOurs(raw)) {
            receiver.undecodable(raw);
        } else {
            raw.settle(LATER);
        }
    }

    private boolean isOurs(Receipt receipt) {
        return membership.holds(receipt.metadata().getOrDefault(RedisArrival.STREAM, ""));
    }
}
