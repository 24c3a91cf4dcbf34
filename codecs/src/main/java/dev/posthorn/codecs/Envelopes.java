package dev.posthorn.codecs;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.ScreenedPublisher;
import java.util.List;

/** Envelopes by their names, and around what publishes and what receives. */
public final class Envelopes {

    /** As they stand in configuration. */
    public static final List<String> NAMES =
            List.of("posthorn", "cloudevents", "cloudevents-structured", "transfers", "aggregate", "attributes");

    private Envelopes() {}

    /**
     * The envelope of that name.
     *
     * @param domain of events in a form that knows none, when others have made them
     */
    public static Envelope named(String name, String domain) {
        return switch (name) {
            case "posthorn" -> new PlainEnvelope();
            case "cloudevents" -> new CloudEventsEnvelope();
            case "cloudevents-structured" -> new StructuredCloudEventsEnvelope();
            case "transfers" -> new TransfersEnvelope();
            case "aggregate" -> new AggregateEnvelope(domain);
            case "attributes" -> new AttributesEnvelope(domain);
            default ->
                throw new PosthornException(
                        "There is no envelope \"" + name + "\"; use one of " + String.join(", ", NAMES) + ".");
        };
    }

    /** Puts each event into the envelope on its way to the publisher; refuses what does not fit. */
    public static Publisher around(Publisher publisher, Envelope envelope) {
        return envelope instanceof PlainEnvelope ? publisher : new ScreenedPublisher(publisher, envelope::seal);
    }

    /** A bus whose subscribers get what is in these envelopes, and everything else as it comes. */
    public static Bus around(Bus bus, Envelope... envelopes) {
        return new OpeningBus(bus, List.of(envelopes), false);
    }

    /**
     * The same where others publish too, without the headers that a broker filters by: here it is asked for everything, and
     * what a subscriber does not want is dropped in its process.
     *
     * <p>For brokers whose names do not depend on the domain; others would be asked for every domain that there is.
     */
    public static Bus aroundShared(Bus bus, Envelope... envelopes) {
        return new OpeningBus(bus, List.of(envelopes), true);
    }
}
