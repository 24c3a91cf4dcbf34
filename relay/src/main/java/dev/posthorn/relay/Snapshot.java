package dev.posthorn.relay;

import java.util.Arrays;
import java.util.List;

/**
 * Which transactions had ended at one moment: Postgres' own {@code pg_snapshot}, as its text {@code xmin:xmax:xip,…}.
 *
 * <p>The text is the identity; the numbers are taken from it when needed.
 */
public record Snapshot(String text) {

    /** In-progress transactions further than this behind xmax are looked up one by one, see {@link #lateFloor}. */
    private static final long RECENT = 10_000;

    public Snapshot {
        if (text.chars().filter(c -> c == ':').count() != 2) {
            throw new IllegalArgumentException("Not a pg_snapshot: " + text);
        }
    }

    /** The first transaction id that had not been assigned yet. */
    public long xmax() {
        return Long.parseLong(text, text.indexOf(':') + 1, text.lastIndexOf(':'), 10);
    }

    /** Whether that transaction had ended. (Aborted ones too: their rows are never seen anyway.) */
    public boolean sees(long tx) {
        return tx < xmax() && inProgress().stream().noneMatch(x -> x == tx);
    }

    /**
     * Transactions at or above this are scanned as one range when looking for late rows: the oldest recent in-progress
     * transaction, or xmax if there is none. Keeps one transaction that stays open for days from widening every scan.
     */
    public long lateFloor() {
        long xmax = xmax();
        return inProgress().stream()
                .mapToLong(Long::longValue)
                .filter(x -> x >= xmax - RECENT)
                .min()
                .orElse(xmax);
    }

    /** In-progress transactions below {@link #lateFloor}. */
    public List<Long> oldInProgress() {
        long floor = lateFloor();
        return inProgress().stream().filter(x -> x < floor).toList();
    }

    private List<Long> inProgress() {
        String list = text.substring(text.lastIndexOf(':') + 1);
        return list.isEmpty()
                ? List.of()
                : Arrays.stream(list.split(",")).map(Long::valueOf).toList();
    }

    @Override
    public String toString() {
        return text;
    }
}
