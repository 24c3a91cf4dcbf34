package dev.posthorn.server;

import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresEvents.Filter;
import dev.posthorn.postgres.PostgresEvents.Listed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Tells what is new in the log. Numbers are given before commits, so an event may come behind one with a higher number; it is
 * found as long as it is among the newest page. Good for the eye; whoever must miss nothing subscribes.
 */
final class EventsTail {

    private static final int PAGE = 500;
    private static final int REMEMBERED = 20 * PAGE;

    private final PostgresEvents events;
    private final Filter filter;
    private final int last;
    private final Set<UUID> seen = new LinkedHashSet<>();
    private long highest = -1;

    EventsTail(PostgresEvents events, Filter filter, int last) {
        this.events = events;
        this.filter = filter;
        this.last = last;
    }

    /** What was not told before, in the order of the log. The first time, the last few. */
    List<Listed> next() {
        boolean first = highest < 0;
        List<Listed> found = new ArrayList<>();
        long before = PostgresEvents.END;
        List<Listed> page;
        do {
            page = events.newest(filter, before, PAGE);
            for (Listed event : page) {
                before = event.seq();
                if (seen.add(event.id())) {
                    found.add(event);
                }
            }
        } while (!first && page.size() == PAGE && before > highest);
        found.sort(Comparator.comparingLong(Listed::seq));
        highest = Math.max(
                Math.max(highest, 0),
                found.isEmpty() ? 0 : found.get(found.size() - 1).seq());
        forget();
        return first ? found.subList(Math.max(0, found.size() - last), found.size()) : found;
    }

    private void forget() {
        var oldest = seen.iterator();
        for (int tooMany = seen.size() - REMEMBERED; tooMany > 0; tooMany--) {
            oldest.next();
            oldest.remove();
        }
    }
}
