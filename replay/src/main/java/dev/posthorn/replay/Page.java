package dev.posthorn.replay;

import dev.posthorn.event.Event;
import java.util.List;

/**
 * Some events of a replay, by seq.
 *
 * @param reach at or below this seq there are no others
 */
public record Page(List<Entry> entries, long reach) {

    public Page {
        entries = List.copyOf(entries);
    }

    /** An event and its place in the log. */
    public record Entry(long seq, Event event) {}
}
