package dev.posthorn.transports.snssqs;

import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receipt;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Verdict;
import java.time.Duration;

/**
 * Looks right before each handing over whether SQS still hides the message: a process that was stopped for longer must not
 * begin with what another member has by now.
 */
final class FencedReceiver implements Receiver {

    /** Until then the heartbeat has found out whose it is, and dropped it or not. */
    private static final Verdict LATER =
            Verdict.retry(Duration.ofMillis(500), "SQS may have given it to another member");

    private final Receiver receiver;
    private final Holdings holdings;

    FencedReceiver(Receiver receiver, Holdings holdings) {
        this.receiver = receiver;
        this.holdings = holdings;
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
        return holdings.holds(receipt.metadata().getOrDefault(SqsArrival.MESSAGE_ID, ""));
    }
}
