package dev.posthorn.inbox;

import java.util.List;

/**
 * The other members of a consumer, as far as they are alive.
 *
 * @param digest identifies the handlers that all live members have together
 * @param handlers the handlers of the other members
 * @param mixed whether live members have different handlers
 * @param agreed whether every other member knows this digest
 * @param waiting whether events that were handed over wait
 */
public record OtherMembers(
        String digest, List<RegisteredHandler> handlers, boolean mixed, boolean agreed, boolean waiting) {

    /** No other member, and nothing that waits. */
    public static final OtherMembers NONE = new OtherMembers("", List.of(), false, true, false);

    public OtherMembers {
        handlers = List.copyOf(handlers);
    }

    /** Returns whether an event may have to be handed over, or to wait behind one that was. */
    boolean concernEvents() {
        return mixed || waiting;
    }
}
