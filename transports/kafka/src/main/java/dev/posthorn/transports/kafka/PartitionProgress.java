package dev.posthorn.transports.kafka;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
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

    /** Leader epochs by the first offset that was seen of each, from the one below the mark on. */
    private final TreeMap<Long, Integer> epochs = new TreeMap<>();

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
            committed.leaderEpoch().ifPresent(epoch -> epochs.put(mark() - 1, epoch));
            note.epoch().ifPresent(epoch -> epochs.put(next - 1, epoch));
        }
    }

    /** A record has come, written under this leader; false if it is done already. */
    synchronized boolean take(long offset, Optional<Integer> epoch) {
        if (offset <= last || isOfALaterLeader(offset, epoch)) {
            cut(offset);
        }
        last = offset;
        epoch.filter(number -> !number.equals(epochAt(offset).orElse(null)))
                .ifPresent(number -> epochs.put(offset, number));
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

    /**
     * Whether it cannot be the record that was done at this offset. Epochs grow along a log, so that none before {@link #next} was
     * written under a later leader than the last of them.
     */
    private boolean isOfALaterLeader(long offset, Optional<Integer> epoch) {
        Optional<Integer> newest = epochAt(next - 1);
        return offset < next && epoch.isPresent() && newest.isPresent() && epoch.get() > newest.get();
    }

    /** The log was cut here and goes on with other records; what is below is as it was. */
    private void cut(long offset) {
        open.tailSet(offset).clear();
        expected.tailSet(offset).clear();
        epochs.tailMap(offset).clear();
        next = offset;
    }

    private Optional<Integer> epochAt(long offset) {
        return Optional.ofNullable(epochs.floorEntry(offset)).map(Map.Entry::getValue);
    }

    synchronized void done(long offset, Optional<Integer> epoch) {
        close(offset, epoch);
    }

    /** Unless another leader has put another record in its place meanwhile, which is not done with it. */
    private void close(long offset, Optional<Integer> epoch) {
        Optional<Integer> here = epochAt(offset);
        if (epoch.isEmpty() || here.isEmpty() || here.equals(epoch)) {
            open.remove(offset);
        }
    }

    /** It is on its way to the dead letters, and stays open until it is there. */
    synchronized void dying() {
        onTheirWay++;
    }

    synchronized void dead(long offset, Optional<Integer> epoch) {
        onTheirWay--;
        close(offset, epoch);
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
        long mark = mark();
        Map.Entry<Long, Integer> below = epochs.floorEntry(mark - 1);
        if (below != null) {
            epochs.headMap(below.getKey()).clear();
        }
        Optional<Integer> newest = epochAt(next - 1);
        OptionalInt ofTheNote = newest.isPresent() ? OptionalInt.of(newest.get()) : OptionalInt.empty();
        OffsetAndMetadata now = new OffsetAndMetadata(mark, epochAt(mark - 1), OffsetNote.write(open, next, ofTheNote));
        return now.equals(committed) ? null : now;
    }

    synchronized void committed(OffsetAndMetadata offset) {
        committed = offset;
    }
}
