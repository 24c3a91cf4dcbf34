package dev.posthorn.relay;

import java.util.Arrays;
import java.util.List;

/**
 * Which transactions had ended at one moment: Postgres' own {@code pg_snapshot}, as its text {@code xmin:xmax:xip,…}.
 *
 * <p>The text is the identity; the numbers are taken from it when needed.
 */
public record Snapshot(String text) {

    /** In-progress transactions no further apart than this are looked for in one range, see {@link #lateFloor}. */
    private static final long CLOSE = 8;
    /** So many are looked up one by one, unless they are far behind. */
    private static final int ONE_BY_ONE = 64;
    /** In-progress transactions further than this behind xmax are looked up one by one, however many. */
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
     * Transactions at or above this are scanned as one range when looking for late rows. A range reads every row in it, so
     * it reaches down only over in-progress transactions that are close together; a lookup of one costs the same whatever
     * was committed since, so a transaction that stays open for seconds or days does not make every look longer.
     */
    public long lateFloor() {
        return floorAndRest().floor();
    }

    /** In-progress transactions below {@link #lateFloor}. */
    public List<Long> oldInProgress() {
        return floorAndRest().rest();
    }

    private record FloorAndRest(long floor, List<Long> rest) {}

    private FloorAndRest floorAndRest() {
        List<Long> running = inProgress();
        long xmax = xmax();
        long floor = xmax;
        int rest = running.size();
        while (rest > 0 && floor - running.get(rest - 1) <= CLOSE) {
            floor = running.get(--rest);
        }
        while (rest > ONE_BY_ONE && xmax - running.get(rest - 1) <= RECENT) {
            floor = running.get(--rest);
        }
        return new FloorAndRest(floor, running.subList(0, rest));
    }

    /** Oldest first, as Postgres writes them. */
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
