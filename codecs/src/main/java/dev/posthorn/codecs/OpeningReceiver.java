package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receipt;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.UndecodableException;
import dev.posthorn.transport.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Opens envelopes before another receiver gets what is inside.
 *
 * <p>An event that Posthorn sealed is known by its mark, one that its producer sealed by its shape and its own id in it, and
 * what others have made by content type, headers or shape. What is in none of the envelopes passes as it came.
 */
final class OpeningReceiver implements Receiver {

    private final Subscriber subscriber;
    private final Receiver receiver;
    private final List<Envelope> envelopes;

    OpeningReceiver(Subscriber subscriber, Receiver receiver, List<Envelope> envelopes) {
        this.subscriber = subscriber;
        this.receiver = receiver;
        this.envelopes = envelopes;
    }

    @Override
    public void receive(Delivery delivery) {
        Event event = delivery.event();
        if (!subscriber.wants(event) && !receiver.receivesBeyondFilter(event)) {
            delivery.settle(Verdict.done());
            return;
        }
        Optional<Mark> mark = Mark.of(event);
        Optional<Envelope> found = envelopes.stream()
                .filter(one -> mark.isPresent() ? mark.get().name().equals(one.name()) : one.holds(event))
                .findFirst();
        if (found.isEmpty()) {
            receiver.receive(delivery);
            return;
        }
        Event opened;
        try {
            opened = found.get().open(event);
        } catch (UndecodableException damaged) {
            receiver.undecodable(new Unopened(delivery, EventMessage.of(event), reason(found.get(), damaged)));
            return;
        }
        receiver.receive(new Opened(delivery, opened));
    }

    @Override
    public boolean receivesBeyondFilter(Event event) {
        return receiver.receivesBeyondFilter(event);
    }

    @Override
    public void undecodable(RawDelivery raw) {
        Optional<Envelope> found =
                envelopes.stream().filter(one -> one.recognises(raw.message())).findFirst();
        if (found.isEmpty()) {
            receiver.undecodable(raw);
            return;
        }
        Event read;
        try {
            read = found.get().read(raw.message());
        } catch (UndecodableException damaged) {
            receiver.undecodable(new Unopened(raw, raw.message(), reason(found.get(), damaged)));
            return;
        }
        if (subscriber.wants(read)) {
            receiver.receive(new Opened(raw, read));
        } else {
            raw.settle(Verdict.done());
        }
    }

    private static String reason(Envelope envelope, UndecodableException damaged) {
        return "envelope " + envelope.name() + ": " + damaged.getMessage();
    }

    /** What was inside, settled as what it came in. */
    private record Opened(Receipt receipt, Event event) implements Delivery {

        @Override
        public int attempt() {
            return receipt.attempt();
        }

        @Override
        public Map<String, String> metadata() {
            return receipt.metadata();
        }

        @Override
        public void settle(Verdict verdict) {
            receipt.settle(verdict);
        }
    }

    /** What could not be opened. */
    private record Unopened(Receipt receipt, Message message, String reason) implements RawDelivery {

        @Override
        public int attempt() {
            return receipt.attempt();
        }

        @Override
        public Map<String, String> metadata() {
            return receipt.metadata();
        }

        @Override
        public void settle(Verdict verdict) {
            receipt.settle(verdict);
        }
    }
}
