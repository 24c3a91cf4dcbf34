package dev.posthorn.relay;

import dev.posthorn.event.Event;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of the log.
 *
 * @param delay for an event with a deliver-after time, how long until it is due by the database's clock; else null
 * @param omittedBytes the payload's size if it was left out because it is large; {@link #UNMEASURED} if headers or a text
 *     were; fetch the whole event before publishing
 */
public record LogEvent(
        int lane, long seq, Event event, @Nullable Duration delay, int omittedBytes) {

    /** Something else than the payload is not here in full: its size is not known. */
    public static final int UNMEASURED = -1;

    /** Objects of an event, its item and its place in queues. */
    private static final int OBJECTS = 500;

    private static final int TEXT = 56;
    private static final int HEADER = 160;

    public static LogEvent of(int lane, long seq, Event event) {
        return new LogEvent(lane, seq, event, null, 0);
    }

    /** What it takes in memory, rather too much than too little. */
    int bytes() {
        long bytes = OBJECTS + (long) event.payloadSize();
        bytes += text(event.domain()) + text(event.type()) + text(event.contentType());
        bytes += text(event.key()) + text(event.aggregateType()) + text(event.aggregateId()) + text(event.tenant());
        bytes += text(event.correlationId()) + text(event.causationId()) + text(event.traceparent());
        for (Map.Entry<String, String> header : event.headers().entrySet()) {
            bytes += HEADER + 2L * (header.getKey().length() + header.getValue().length());
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    private static long text(Optional<String> text) {
        return text.isPresent() ? text(text.get()) : 0;
    }

    private static long text(String text) {
        return TEXT + 2L * text.length();
    }
}
