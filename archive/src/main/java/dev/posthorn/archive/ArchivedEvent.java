package dev.posthorn.archive;

import dev.posthorn.event.Event;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event with all that the log knows of it.
 *
 * @param headers the JSON object as the log has it, in place of the event's: SQL can put more into it than texts
 * @param publishedAt when each route published it, as {@code outbox_status} told when it was archived; without routes that
 *     did not
 */
public record ArchivedEvent(
        Place place, Event event, @Nullable String headers, Map<String, Instant> publishedAt) {

    public ArchivedEvent {
        publishedAt = Map.copyOf(publishedAt);
    }

    /** The line that it is in a volume, without its end. */
    public String toJson() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            EventLine.write(this, line);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    /** Where it stood in the log, and since when. */
    public record Place(long seq, String tx, int lane, Instant createdAt) {}
}
