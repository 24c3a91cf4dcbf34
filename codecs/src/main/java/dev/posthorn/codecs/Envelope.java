package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Message;

/**
 * A form in which events travel, agreed upon with those who do not know Posthorn.
 *
 * <p>What {@link #seal} makes, {@link #open} turns back into the same event, byte for byte. What somebody else has made,
 * {@link #read} turns into an event; what the form does not know about is kept in the event's headers, and {@link #seal}
 * puts it back where it was.
 *
 * <p>Implementations are thread-safe.
 */
public interface Envelope {

    /** The header that {@link #seal} adds: the envelope's name, a space, and the content type of what is inside. */
    String MARK = "posthorn-envelope";

    /** As it stands in configuration. */
    String name();

    /** The event as it travels. Throws {@link dev.posthorn.event.PosthornException} if it fits in no such envelope. */
    Event seal(Event event);

    /** Whether an event without a mark is in this envelope all the same: sealed by whoever emitted it. */
    boolean holds(Event event);

    /**
     * The event that was sealed. Throws {@link dev.posthorn.transport.UndecodableException} with place and reason if there is
     * none inside.
     */
    Event open(Event sealed);

    /** Whether a message that is no event of Posthorn's looks like one in this envelope. */
    boolean recognises(Message message);

    /**
     * The event in a message that somebody else has made. Throws {@link dev.posthorn.transport.UndecodableException} with
     * place and reason if there is none.
     */
    Event read(Message message);
}
