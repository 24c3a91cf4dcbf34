package dev.posthorn.archive;

import dev.posthorn.event.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event with all that the log knows of it.
 *
 * @param headers the JSON object as the log has it, in place of the event's: SQL can put more into it than texts
 */
public record ArchivedEvent(
        Place place, Event event, @Nullable String headers) {

    /** Where it stood in the log, and since when. */
    public record Place(long seq, String tx, int lane, Instant createdAt) {}
}
