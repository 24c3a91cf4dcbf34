package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresEvents.Ends;
import dev.posthorn.postgres.PostgresEvents.Filter;
import dev.posthorn.postgres.PostgresEvents.Listed;
import dev.posthorn.postgres.PostgresEvents.Stretch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches the log backwards, a stretch at a time, until a page is full or the time is up. Where few events fit, a page may be
 * short or empty and still name a next one: the search has come that far.
 */
final class EventSearch {

    private static final Duration TIME = Duration.ofMillis(200);

    /** So many places of the log at once: some milliseconds. */
    private static final long STRETCH = 20_000;

    /** What is wanted; null is any. */
    record Wish(
            Filter filter, @Nullable String key, @Nullable String state) {

        static Wish of(Call call) {
            return new Wish(
                    new Filter(call.wish("domain"), call.wish("type"), call.wish("tenant"), call.wish("correlation")),
                    call.wish("key"),
                    call.wish("state"));
        }

        private boolean isOfState(Listed event) {
            if (state == null) {
                return true;
            }
            String wanted = " " + state.toUpperCase(Locale.ROOT);
            return event.states().stream().anyMatch(one -> one.endsWith(wanted));
        }
    }

    private final PostgresEvents events;

    EventSearch(Desk desk) {
        this.events = new PostgresEvents(desk.database(), desk.schema());
    }

    ObjectNode page(Wish wish, long before, int most) {
        return wish.key() == null ? ofLog(wish, before, most) : ofKey(wish, wish.key(), before, most);
    }

    private ObjectNode ofLog(Wish wish, long before, int most) {
        Optional<Ends> ends = events.ends();
        if (ends.isEmpty()) {
            return json(List.of(), Optional.empty());
        }
        long end = System.nanoTime() + TIME.toNanos();
        long place = Math.min(before, ends.get().last() + 1);
        List<Listed> found = new ArrayList<>();
        while (place > ends.get().first() && found.size() < most && System.nanoTime() - end < 0) {
            Stretch here = new Stretch(Math.max(0, place - STRETCH), place);
            List<Listed> seen = events.newest(wish.filter(), here, most);
            place = seen.size() == most ? seen.get(most - 1).seq() : here.first();
            place = add(found, seen, wish::isOfState, most, place);
        }
        return json(found, place > ends.get().first() ? Optional.of(place) : Optional.empty());
    }

    private ObjectNode ofKey(Wish wish, String key, long before, int most) {
        long end = System.nanoTime() + TIME.toNanos();
        long place = before;
        boolean more = true;
        List<Listed> found = new ArrayList<>();
        while (more && found.size() < most && System.nanoTime() - end < 0) {
            List<Listed> seen = events.ofKey(key, place, most);
            more = seen.size() == most;
            place = seen.isEmpty() ? place : seen.get(seen.size() - 1).seq();
            place = add(found, seen, event -> wish.isOfState(event) && fits(wish.filter(), event), most, place);
            more |= found.size() == most
                    && !seen.isEmpty()
                    && place > seen.get(seen.size() - 1).seq();
        }
        return json(found, more ? Optional.of(place) : Optional.empty());
    }

    /** A correlation is not listed, so a key can not be searched for one. */
    private static boolean fits(Filter filter, Listed event) {
        return (filter.domain() == null || filter.domain().equals(event.domain()))
                && (filter.type() == null || filter.type().equals(event.type()))
                && (filter.tenant() == null
                        || filter.tenant().equals(event.tenant().orElse(null)));
    }

    /** Adds what fits until there are enough; returns how far the search has come then. */
    private static long add(List<Listed> found, List<Listed> seen, Predicate<Listed> fits, int most, long place) {
        for (Listed event : seen) {
            if (fits.test(event)) {
                found.add(event);
                if (found.size() == most) {
                    return event.seq();
                }
            }
        }
        return place;
    }

    private static ObjectNode json(List<Listed> found, Optional<Long> next) {
        ObjectNode json = Json.object();
        json.set("events", Json.array(found, EventsFormat::json));
        return json.put("next", next.map(String::valueOf).orElse(null));
    }
}
