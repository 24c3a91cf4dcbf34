package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What was committed, by the outbox table itself, against what arrived.
 *
 * <p>Events of one key carry its own version as their sequence, counted from 1 without gaps. Scheduled ones are outside
 * the order, and so are those that are shown as FAILED.
 */
final class Ledger {

    /** Each list names the events; empty means as promised. */
    record Balance(
            int committed,
            int arrived,
            List<String> lost,
            List<String> invented,
            List<String> disorder,
            List<UUID> twice) {

        boolean holds() {
            return lost.isEmpty() && invented.isEmpty() && disorder.isEmpty();
        }

        @Override
        public String toString() {
            return committed + " committed, " + arrived + " arrived, lost " + few(lost) + ", invented " + few(invented)
                    + ", out of order " + few(disorder) + ", duplicates " + twice.size();
        }

        private static String few(List<String> faults) {
            return faults.size() <= 5 ? faults.toString() : faults.size() + " as " + faults.subList(0, 5);
        }
    }

    private final TestPostgres postgres;

    Ledger(TestPostgres postgres) {
        this.postgres = postgres;
    }

    Balance balance(List<Event> arrived) throws SQLException {
        Set<UUID> committed = ids("SELECT id FROM posthorn.outbox");
        Set<UUID> dead = ids("SELECT event_id FROM posthorn.detour WHERE kind = 'FAILED'");
        Set<UUID> seen = new HashSet<>();
        List<UUID> twice = new ArrayList<>();
        List<Event> first = new ArrayList<>();
        for (Event event : arrived) {
            if (seen.add(event.id())) {
                first.add(event);
            } else {
                twice.add(event.id());
            }
        }
        List<String> lost = committed.stream()
                .filter(id -> !seen.contains(id) && !dead.contains(id))
                .map(UUID::toString)
                .toList();
        List<String> invented = first.stream()
                .filter(event -> !committed.contains(event.id()))
                .map(Event::toString)
                .toList();
        return new Balance(committed.size(), arrived.size(), lost, invented, disorder(first), twice);
    }

    /** Walks each key's events of the log beside what arrived: the next to arrive must be the next of the log. */
    private List<String> disorder(List<Event> first) throws SQLException {
        Map<String, List<Long>> expected = new HashMap<>();
        for (String row : postgres.rows("SELECT o.sequence, o.key FROM posthorn.outbox o WHERE o.key IS NOT NULL"
                + " AND o.deliver_after IS NULL AND NOT EXISTS (SELECT FROM posthorn.detour d"
                + " WHERE d.event_id = o.id AND d.kind = 'FAILED') ORDER BY o.key, o.sequence")) {
            String[] columns = row.split("\\|", 2);
            expected.computeIfAbsent(columns[1], any -> new ArrayList<>()).add(Long.valueOf(columns[0]));
        }
        Map<String, Integer> arrivedOf = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (Event event : first) {
            if (event.key().isEmpty() || event.deliverAfter().isPresent()) {
                continue;
            }
            String key = event.key().get();
            List<Long> order = expected.getOrDefault(key, List.of());
            int place = arrivedOf.merge(key, 1, Integer::sum) - 1;
            long sequence = event.sequence().orElseThrow();
            if (place >= order.size() || order.get(place) != sequence) {
                wrong.add(key + ": " + sequence + " arrived as number " + (place + 1));
            }
        }
        return wrong;
    }

    Set<UUID> ids(String sql) throws SQLException {
        return postgres.rows(sql).stream().map(UUID::fromString).collect(Collectors.toSet());
    }
}
