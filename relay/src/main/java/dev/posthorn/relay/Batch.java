package dev.posthorn.relay;

import java.util.ArrayList;
import java.util.List;

/** The events of one lane that one read brought, between the cursors before and after it. */
final class Batch {

    final Cursor before;
    final Cursor after;
    final long readAt;
    final List<Item> items;
    int unresolved;
    long bytes;
    /** Something in it needs a row of its own when the checkpoint passes it. */
    boolean hasRows;

    Batch(Cursor before, Cursor after, long readAt, int size) {
        this.before = before;
        this.after = after;
        this.readAt = readAt;
        this.items = new ArrayList<>(size);
    }

    boolean isPlain() {
        return unresolved == 0 && !hasRows;
    }
}
