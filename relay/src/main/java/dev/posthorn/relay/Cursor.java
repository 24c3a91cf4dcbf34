package dev.posthorn.relay;

import org.jspecify.annotations.Nullable;

/**
 * What has been read of a lane: every row that {@code snapshot} sees up to {@code position}, and no other.
 *
 * <p>While the late rows of one large transaction are being paged, also those up to {@code late} that {@code pin} sees.
 * Sequence order is not commit order, so a position alone would lose what commits late.
 */
public record Cursor(
        Snapshot snapshot, long position, @Nullable Snapshot pin, long late) {

    public static Cursor at(Snapshot snapshot, long position) {
        return new Cursor(snapshot, position, null, 0);
    }

    /** Whether this cursor has passed the row. */
    public boolean covers(long tx, long seq) {
        if (seq > position) {
            return false;
        }
        return snapshot.sees(tx) || (pin != null && seq <= late && pin.sees(tx));
    }

    /** Begins to page late rows as of this moment; no fresh row is taken until {@link #unpinned}. */
    Cursor pinnedAt(Snapshot moment) {
        return new Cursor(snapshot, position, moment, 0);
    }

    Cursor latePassed(long seq) {
        return new Cursor(snapshot, position, pin, seq);
    }

    /** All late rows of the pinned moment have been read: that moment is now what has been seen. */
    Cursor unpinned() {
        Snapshot moment = pin;
        if (moment == null) {
            throw new IllegalStateException("The cursor is not pinned: " + this);
        }
        return at(moment, position);
    }
}
