package dev.posthorn.relay;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Lets the events of one key through one at a time.
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

    @Nullable
    Item inFlight;
    /** A dead event's row is being written; nothing goes on before it is committed. */
    boolean awaitsCommit;

    KeyGate(String key) {
        this.key = key;
    }

    /** Nothing is going on: the gate may be forgotten. */
    boolean isIdle() {
        return queue.isEmpty()
                && blocked == null
                && inFlight == null
                && detours.isEmpty()
                && window.isEmpty()
                && !awaitsCommit;
    }
}
