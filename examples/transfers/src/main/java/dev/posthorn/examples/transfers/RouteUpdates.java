package dev.posthorn.examples.transfers;

import dev.posthorn.codecs.Envelopes;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;

/** Lets the cache of a process hear of every route that the directory has changed. */
public final class RouteUpdates {

    private RouteUpdates() {}

    // docs:start:transfers-routes
    /**
     * Subscribes a process by its own name, such as {@code cts-1}: members of one subscriber would share the updates, and
     * each would be heard by one process only. There is no inbox, because to forget a route twice does no harm.
     */
    public static Subscription subscribe(Bus bus, String instance, RouteCache routes) {
        Subscriber subscriber = Subscriber.named("routes." + instance)
                .domains(Envelope.DIRECTORY)
                .types(Envelope.ROUTE_UPDATED)
                .concurrency(1);
        return Envelopes.aroundShared(bus, Envelope.FORM).subscribe(subscriber, delivery -> {
            Event event = delivery.event();
            routes.invalidate(event.key().orElse(""));
            delivery.settle(Verdict.done());
        });
    }
    // docs:end:transfers-routes
}
