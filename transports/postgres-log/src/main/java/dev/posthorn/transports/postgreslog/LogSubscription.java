package dev.posthorn.transports.postgreslog;

import dev.posthorn.relay.Relay;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A member whose receiver has its effects anywhere: a relay that publishes to the receiver. */
final class LogSubscription implements LogMember {

    static final int PREFETCH = 256;
    /** What is under way at the relay after the handout was closed is the time until its last flush. */
    private static final Duration LAST_FLUSH = Duration.ofSeconds(10);

    private final Subscriber subscriber;
    private final Handout handout;
    private final Membership membership;
    private final Consumer<LogMember> whenClosed;

    LogSubscription(Subscriber subscriber, Receiver receiver, MemberRelays relays, Consumer<LogMember> whenClosed) {
        this.subscriber = subscriber;
        this.whenClosed = whenClosed;
        this.handout = new Handout(subscriber, receiver, PREFETCH);
        ToReceiver publisher = new ToReceiver(Map.of("route", relays.route()));
        int prefetch = subscriber.limits().prefetchOr(PREFETCH);
        try {
            this.membership =
                    Membership.begin(subscriber.name(), () -> relays.publishing(subscriber, publisher, prefetch));
        } catch (RuntimeException refused) {
            handout.close();
            throw refused;
        }
    }

    /** Hands what the relay publishes to the receiver's threads. */
    private final class ToReceiver implements Publisher {

        private final Map<String, String> metadata;

        ToReceiver(Map<String, String> metadata) {
            this.metadata = metadata;
        }

        @Override
        public void publish(List<? extends Publication> publications) {
            for (Publication publication : publications) {
                handout.offer(publication.event(), new LogArrival(publication, metadata));
            }
        }

        @Override
        public void close() {
            // the handout is closed by the subscription, before its relay
        }
    }

    @Override
    public Subscriber subscriber() {
        return subscriber;
    }

    @Override
    public Status status() {
        Subscription.Status known = handout.status(membership.trouble());
        int unsettled = membership
                .relay()
                .map(Relay::status)
                .map(relay -> relay.inFlight())
                .orElse(0);
        return new Status(known.totals(), unsettled, known.trouble());
    }

    @Override
    public void wakeUp() {
        membership.wakeUp();
    }

    @Override
    public void close() {
        handout.close();
        membership.close(LAST_FLUSH);
        whenClosed.accept(this);
    }
}
