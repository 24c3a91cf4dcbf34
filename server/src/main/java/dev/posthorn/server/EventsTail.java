package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresEvents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells what is new in the log. Numbers are given before commits, so an event may come behind one with a higher number; it is
 * found as long as it is among the newest page. Good for the eye; whoever must miss nothing subscribes.
 */
final class EventsTail {

    /** The newest events before a place in the log, at most a page of them. */
    @FunctionalInterface
    interface Newest {
        List<ObjectNode> before(long seq) throws InterruptedException;
    }

    static final int PAGE = 500;
    private static final int REMEMBERED = 20 * PAGE;

    private final Newest events;
    private final int last;
    private final Set<String> seen = new LinkedHashSet<>();
    private long highest = -1;

    EventsTail(Newest events, int last) {
        this.events = events;
        this.last = last;
    }

    /** What was not told before, in the order of the log. The first time, the last few. */
    List<ObjectNode> next() throws InterruptedException {
        boolean first = highest < 0;
        List<ObjectNode> found = new ArrayList<>();
        long before = PostgresEvents.END;
        List<ObjectNode> page;
        do {
            page = events.before(before);
            for (ObjectNode event : page) {
                before = seq(event);
                if (seen.add(event.path("id").asText())) {
                    found.add(event);
                }
            }
        } while (!first && page.size() == PAGE && before > highest);
        found.sort(Comparator.comparingLong(EventsTail::seq));
        highest = Math.max(Math.max(highest, 0), found.isEmpty() ? 0 : seq(found.get(found.size() - 1)));
        forget();
        return first ? found.subList(Math.max(0, found.size() - last), found.size()) : found;
    }

    private static long seq(ObjectNode event) {
        return event.path("seq").asLong();
    }

    private void forget() {
        var oldest = seen.iterator();
        for (int tooMany = seen.size() - REMEMBERED; tooMany > 0; tooMany--) {
            oldest.next();
            oldest.remove();
        }
    }
}
