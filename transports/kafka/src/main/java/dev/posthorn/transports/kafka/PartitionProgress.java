package dev.posthorn.transports.kafka;

import java.util.TreeSet;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * How far a member is in one partition: the low-water mark, and what is done above it.
 *
 * <p>A commit acknowledges everything below it, so it is never above a record that is not done, however many later ones are.
 * Thread-safe: records are taken by the polling thread and done by any.
 */
final class PartitionProgress {

    private final TreeSet<Long> open = new TreeSet<>();
    /** Those that an earlier member left open and that have not come here yet. */
    private final TreeSet<Long> expected = new TreeSet<>();

    /** The newest that has come. */
    private long last = -1;

    private long next = -1;
    private int onTheirWay;
    private @Nullable OffsetAndMetadata committed;

    /** From what the group committed last, if it did. */
    PartitionProgress(@Nullable OffsetAndMetadata committed) {
        this.committed = committed;
        if (committed != null) {
            OffsetNote note = OffsetNote.read(committed.offset(), committed.metadata());
            open.addAll(note.open());
            expected.addAll(note.open());
            next = note.next();
            last = committed.offset() - 1;
        }
    }

    /** A record has come; false if it is done already. */
    synchronized boolean take(long offset) {
        if (offset <= last) { // the log was cut and begins anew
            open.clear();
            expected.clear();
            next = offset;
        }
        last = offset;
        // What did not come before this one is no longer in the log.
        open.removeAll(expected.headSet(offset));
        expected.headSet(offset).clear();
        if (offset < next) {
            return expected.remove(offset);
        }
        open.add(offset);
        next = offset + 1;
        return true;
    }

    synchronized void done(long offset) {
        open.remove(offset);
    }

    /** It is on its way to the dead letters, and stays open until it is there. */
    synchronized void dying() {
        onTheirWay++;
    }

    synchronized void dead(long offset) {
        onTheirWay--;
        open.remove(offset);
        notifyAll();
    }

    /** Waits until all dead letters have arrived, or for so long. */
    synchronized void awaitDead(long deadline) throws InterruptedException {
        for (long left = deadline - System.nanoTime();
                onTheirWay > 0 && left > 0;
                left = deadline - System.nanoTime()) {
            wait(Math.max(1, left / 1_000_000));
        }
    }

    /** How many are taken and not done. */
    synchronized int unsettled() {
        return open.size() - expected.size();
    }

    private long mark() {
        return open.isEmpty() ? next : open.first();
    }

    /** What is to be committed, or null if that is known already. */
    synchronized @Nullable OffsetAndMetadata due() {
        if (next < 0) {
            return null;
        }
        OffsetAndMetadata now = new OffsetAndMetadata(mark(), OffsetNote.write(open, next));
        return now.equals(committed) ? null : now;
    }

    synchronized void committed(OffsetAndMetadata offset) {
        committed = offset;
    }
}
