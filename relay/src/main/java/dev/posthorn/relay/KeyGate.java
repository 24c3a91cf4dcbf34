package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Lets the events of one key through one at a time, or one run at a time where the transport keeps its order.
 *
 * <p>Open: events come from the queue, as the lane read them. Blocked: they come from the window, read again from the
 * log between the blocked key's own cursors; the queue waits.
 */
final class KeyGate {

    final String key;
    /** Read by the lane, not passed by a checkpoint and not confirmed. The head may be in flight. */
    final ArrayDeque<Item> queue = new ArrayDeque<>(2);
    /** The next events of a blocked key. The head may be in flight. */
    final ArrayDeque<Item> window = new ArrayDeque<>(0);
    /** Due detours of this key: outside the order, but one at a time like everything of a key. */
    final ArrayDeque<Item> detours = new ArrayDeque<>(0);

    @Nullable
    BlockedCursor blocked;

    /** How many of its events are not answered. */
    int inFlight;
    /** A dead event's row is being written; nothing goes on before it is committed. */
    boolean awaitsCommit;

    KeyGate(String key) {
        this.key = key;
    }

    /** Whether the key has something to settle before this event, so that it was sent only as part of a run. */
    boolean isBehind(Item item) {
        return switch (item.origin) {
            case LANE -> queue.peekFirst() != item;
            case WINDOW -> window.peekFirst() != item;
            case DETOUR -> false;
        };
    }

    /** Of a run only the first that did not go through counts; what was sent behind it goes on behind it. */
    boolean isSettledBefore(Item item, Outcome outcome) {
        boolean accepted = outcome instanceof Outcome.Accepted;
        boolean leftToTheKey =
                item.state != Item.State.IN_FLIGHT || (item.origin == Item.Origin.WINDOW && !window.contains(item));
        return leftToTheKey || (!accepted && (item.withheld || isBehind(item)));
    }

    /** This one did not go through, so nothing that was sent behind it did, even if it is the first by the time it is answered. */
    void withholdTheRest(Item first) {
        for (Item item : first.origin == Item.Origin.LANE ? queue : window) {
            item.withheld = item != first && item.state == Item.State.IN_FLIGHT;
        }
    }

    /** Nothing is going on: the gate may be forgotten. */
    boolean isIdle() {
        return queue.isEmpty()
                && blocked == null
                && inFlight == 0
                && detours.isEmpty()
                && window.isEmpty()
                && !awaitsCommit;
    }
}
