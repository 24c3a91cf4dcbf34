package dev.posthorn.transport;

import dev.posthorn.event.Event;
import java.util.function.Predicate;

/**
 * Looks right before each handing over whether what came in is still this member's: a process that stood still for longer than its
 * lease must not begin with what another member has by now. For transports. As thread-safe as what it asks.
 */
public final class FencedReceiver implements Receiver {

    private final Receiver receiver;
    private final Predicate<Receipt> isOurs;
    private final Verdict later;

    /** What is not ours any more gets this verdict, and is dropped by the transport once it has noticed. */
    public FencedReceiver(Receiver receiver, Predicate<Receipt> isOurs, Verdict later) {
        this.receiver = receiver;
        this.isOurs = isOurs;
        this.later = later;
    }

    @Override
    public void receive(Delivery delivery) {
        if (isOurs.test(delivery)) {
            receiver.receive(delivery);
        } else {
            delivery.settle(later);
        }
    }

    @Override
    public boolean receivesBeyondFilter(Event event) {
        return receiver.receivesBeyondFilter(event);
    }

    @Override
    public void undecodable(RawDelivery raw) {
        if (isOurs.test(raw)) {
            receiver.undecodable(raw);
        } else {
            raw.settle(later);
        }
    }
}
