package dev.posthorn.relay;

import dev.posthorn.event.Event;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A row of the log.
 *
 * @param delay for an event with a deliver-after time, how long until it is due by the database's clock; else null
 * @param omittedBytes the payload's size if it was left out because it is large; fetch it before publishing
 */
public record LogEvent(
        int lane, long seq, Event event, @Nullable Duration delay, int omittedBytes) {

    public static LogEvent of(int lane, long seq, Event event) {
        return new LogEvent(lane, seq, event, null, 0);
    }

    int bytes() {
        return event.payloadSize() + 300;
    }
}
