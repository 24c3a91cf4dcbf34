package dev.posthorn.inbox;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** How many events of each type no handler wanted, and how many of them are not reported yet. Thread-safe. */
final class UnhandledCounts {

    /** Types come from producers, so their number is limited; further ones are counted under one name. */
    private static final int MOST_TYPES = 100;

    private static final String FURTHER = "(further types)";

    private final Map<String, Long> unreported = new HashMap<>();
    private final Set<String> types = new HashSet<>();
    private long total;

    synchronized void add(String type) {
        total++;
        boolean known = types.contains(type) || (types.size() < MOST_TYPES && types.add(type));
        unreported.merge(known ? type : FURTHER, 1L, Long::sum);
    }

    synchronized long total() {
        return total;
    }

    synchronized Map<String, Long> unreported() {
        return Map.copyOf(unreported);
    }

    /** These were reported. */
    synchronized void reported(Map<String, Long> counts) {
        counts.forEach((type, count) ->
                unreported.computeIfPresent(type, (any, left) -> left.equals(count) ? null : left - count));
    }
}
