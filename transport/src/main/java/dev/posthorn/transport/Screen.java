package dev.posthorn.transport;

import dev.posthorn.event.Event;

/** Looks at each event on its way to a publisher: lets it pass, passes another in its place, or refuses it. */
@FunctionalInterface
public interface Screen {

    /**
     * The event to publish, which may be the same.
     *
     * <p>Throws {@link dev.posthorn.event.PosthornException} if it shall never be published; the message is the reason.
     * Must be thread-safe.
     */
    Event pass(Event event);
}
