package dev.posthorn.transport;

import dev.posthorn.event.Event;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** One thing that a {@link Handout} has taken in. Its fields are touched under the handout's lock. */
abstract class Slot {

    final Handout handout;
    final Arrival arrival;
    /** In the order of arrival. */
    long number;

    boolean handedOver;
    boolean forgotten;
    long due;
    int retries;

    private Slot(Handout handout, Arrival arrival) {
        this.handout = handout;
        this.arrival = arrival;
    }

    /** What is handed over one at a time. */
    abstract String key();

    /** What the receiver gets, anew each time: what it says of an earlier one must not count for a later one. */
    abstract Handed handed();

    boolean isUndecodable() {
        return false;
    }

    static final class OfEvent extends Slot {

        private final Event event;
        private final String key;

        OfEvent(Handout handout, Arrival arrival, Event event) {
            super(handout, arrival);
            this.event = event;
            this.key = event.key().map(key -> "k" + key).orElseGet(() -> "i" + event.id());
        }

        @Override
        String key() {
            return key;
        }

        @Override
        Handed handed() {
            return new HandedEvent(this);
        }

        @Override
        public String toString() {
            return event.toString();
        }
    }

    static final class OfMessage extends Slot {

        private final Message message;
        private final String reason;

        OfMessage(Handout handout, Arrival arrival, Message message, String reason) {
            super(handout, arrival);
            this.message = message;
            this.reason = reason;
        }

        /** Nobody knows its key, so it has one of its own. */
        @Override
        String key() {
            return "n" + number;
        }

        @Override
        Handed handed() {
            return new HandedMessage(this);
        }

        @Override
        boolean isUndecodable() {
            return true;
        }

        @Override
        public String toString() {
            return "an undecodable message of " + message.body().length + " bytes";
        }
    }

    /** A slot as a receiver sees it once. */
    abstract static class Handed implements Receipt {

        private final Slot slot;
        private final int attempt;
        private final AtomicBoolean answered = new AtomicBoolean();

        private Handed(Slot slot) {
            this.slot = slot;
            this.attempt = slot.arrival.attempt() + slot.retries;
        }

        abstract void to(Receiver receiver);

        @Override
        public int attempt() {
            return attempt;
        }

        @Override
        public Map<String, String> metadata() {
            return slot.arrival.metadata();
        }

        @Override
        public void settle(Verdict verdict) {
            if (answered.compareAndSet(false, true)) {
                slot.handout.settled(slot, verdict);
            }
        }

        @Override
        public String toString() {
            return slot + ", attempt " + attempt;
        }
    }

    private static final class HandedEvent extends Handed implements Delivery {

        private final OfEvent slot;

        HandedEvent(OfEvent slot) {
            super(slot);
            this.slot = slot;
        }

        @Override
        public Event event() {
            return slot.event;
        }

        @Override
        void to(Receiver receiver) {
            receiver.receive(this);
        }
    }

    private static final class HandedMessage extends Handed implements RawDelivery {

        private final OfMessage slot;

        HandedMessage(OfMessage slot) {
            super(slot);
            this.slot = slot;
        }

        @Override
        public Message message() {
            return slot.message;
        }

        @Override
        public String reason() {
            return slot.reason;
        }

        @Override
        void to(Receiver receiver) {
            receiver.undecodable(this);
        }
    }
}
