package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.Trouble;
import org.jspecify.annotations.Nullable;

/**
 * A blocked key's own cursor: exactly its events between {@code from} and {@code to} with seq above {@code passed}
 * remain of this range; then the next range goes from {@code to} to the lane's checkpoint of that moment.
 */
final class BlockedCursor {

    Cursor from;
    Cursor to;
    long passed;

    @Nullable
    Long head;

    int attempts;
    /** Of its head; only in memory. */
    @Nullable
    Doubt doubt;

    long due;

    @Nullable
    String error;

    boolean held;
    /** The head that an operator put back in place. */
    @Nullable
    Long redriven;
    /** Differs from what the database has. */
    boolean changed;
    /** The database has a row of it. */
    boolean stored;
    /** Everything up to {@code from} is done, and {@code from} was the lane's checkpoint when that was found. */
    boolean finished;

    private BlockedCursor(Cursor from, Cursor to, long passed) {
        this.from = from;
        this.to = to;
        this.passed = passed;
    }

    /** The key waits from this event on. */
    static BlockedCursor at(Item head, Batch batch) {
        BlockedCursor cursor = new BlockedCursor(batch.before, batch.after, head.seq() - 1);
        cursor.attempts = head.attempts;
        cursor.doubt = head.doubt;
        cursor.head = head.attempts > 0 ? head.seq() : null;
        cursor.due = head.due;
        cursor.error = head.error;
        cursor.changed = true;
        return cursor;
    }

    /** The key waits behind this dead event until someone decides about it. */
    static BlockedCursor heldBy(Item dead, Batch batch) {
        BlockedCursor cursor = new BlockedCursor(batch.before, batch.after, dead.seq());
        cursor.hold(dead);
        return cursor;
    }

    static BlockedCursor stored(BlockedKey row, long now) {
        BlockedCursor cursor = new BlockedCursor(row.from(), row.to(), row.passed());
        cursor.head = row.head();
        cursor.attempts = row.trouble().attempts();
        cursor.due = now + row.trouble().pause().toNanos();
        cursor.error = row.trouble().error();
        cursor.held = row.held();
        cursor.redriven = !cursor.held && cursor.attempts == 0 ? cursor.head : null;
        cursor.stored = true;
        return cursor;
    }

    BlockedKey toRow(String key, long now) {
        return new BlockedKey(key, from, to, passed, head, new Trouble(attempts, Nanos.until(due, now), error), held);
    }

    void confirmed(long seq) {
        passed = seq;
        clearTrouble();
    }

    void failed(Item item) {
        attempts = item.attempts;
        doubt = item.doubt;
        head = item.seq();
        due = item.due;
        error = item.error;
        changed = true;
    }

    /** Goes past a dead event; its FAILED row is in the same flush. */
    void dead(Item item, boolean hold) {
        passed = item.seq();
        clearTrouble();
        if (hold) {
            hold(item);
        }
    }

    /** The range is done: the next one reaches to the lane's checkpoint of now. */
    void nextRange(Cursor checkpoint) {
        from = to;
        passed = 0;
        finished = from.equals(checkpoint);
        to = checkpoint;
        changed = true;
    }

    private void hold(Item dead) {
        held = true;
        head = dead.seq();
        error = dead.error;
        changed = true;
    }

    private void clearTrouble() {
        attempts = 0;
        doubt = null;
        head = null;
        error = null;
        changed = true;
    }
}
