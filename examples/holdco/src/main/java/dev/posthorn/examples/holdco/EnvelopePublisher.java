package dev.posthorn.examples.holdco;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts each event into its envelope on its way to the broker.
 *
 * <p>Here and not when it is emitted, so that the log has the payload alone, as event_outbox had, whoever emits it. An event
 * that fits in no envelope is refused. Thread-safe if the other publisher is.
 */
public final class EnvelopePublisher implements Publisher {

    private final Publisher broker;
    private final EnvelopeCodec codec = new EnvelopeCodec();

    public EnvelopePublisher(Publisher broker) {
        this.broker = broker;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        List<Publication> enveloped = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            try {
                enveloped.add(publication.carrying(envelop(publication.event())));
            } catch (PosthornException unfit) {
                publication.settle(Outcome.refused(Outcome.reasonOf(unfit)));
            }
        }
        if (!enveloped.isEmpty()) {
            broker.publish(enveloped);
        }
    }

    private Event envelop(Event event) {
        EventBuilder copy = Event.of(event.domain(), event.type())
                .id(event.id())
                .key(event.key().orElse(null))
                .tenant(event.tenant().orElse(null))
                .correlationId(event.correlationId().orElse(null))
                .causationId(event.causationId().orElse(null))
                .traceparent(event.traceparent().orElse(null))
                .headers(event.headers())
                .occurredAt(event.occurredAt())
                .payload(Envelope.of(event), codec);
        event.sequence().ifPresent(copy::sequence);
        event.aggregateType()
                .ifPresent(type -> copy.aggregate(type, event.aggregateId().orElse("")));
        return copy.build();
    }

    @Override
    public int longestRun() {
        return broker.longestRun();
    }

    @Override
    public void close() {
        broker.close();
    }
}
