package dev.posthorn.relay;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a new route begins in the log. */
public final class RouteStart {

    private static final RouteStart AUTO = new RouteStart("auto", null);
    private static final RouteStart NOW = new RouteStart("now", null);
    private static final RouteStart BEGINNING = new RouteStart("beginning", null);

    private final String text;
    private final @Nullable Instant time;

    private RouteStart(String text, @Nullable Instant time) {
        this.text = text;
        this.time = time;
    }

    /**
     * At the beginning if the log has never had a route, else now. So nothing that was committed before the first relay started
     * is left out, and a route that is added later does not publish old events again.
     */
    public static RouteStart auto() {
        return AUTO;
    }

    /** With what commits from its creation on, however long its transaction has been running by then. */
    public static RouteStart now() {
        return NOW;
    }

    /** With the oldest event that the log has kept. */
    public static RouteStart beginning() {
        return BEGINNING;
    }

    /**
     * With the first event that the database received at that time or later, and all that got a higher number than it. A
     * few of about the same moment may be older: events are numbered before their time is taken.
     */
    public static RouteStart at(Instant time) {
        return new RouteStart(time.toString(), time);
    }

    /** From {@code auto}, {@code now}, {@code beginning}, or a time as in {@code 2026-03-01T00:00:00Z}. */
    public static RouteStart parse(String text) {
        if (text.equals(AUTO.text)) {
            return AUTO;
        }
        if (text.equals(NOW.text)) {
            return NOW;
        }
        if (text.equals(BEGINNING.text)) {
            return BEGINNING;
        }
        try {
            return at(Instant.parse(text));
        } catch (DateTimeParseException invalid) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not where a route can start. Write auto, now, beginning, or a time such as"
                            + " 2026-03-01T00:00:00Z.",
                    invalid);
        }
    }

    /** Where it is in a log that has, or has not, had a route before. */
    public RouteStart resolved(boolean first) {
        return !equals(AUTO) ? this : first ? BEGINNING : NOW;
    }

    /** The time, if it starts at one. */
    public Optional<Instant> time() {
        return Optional.ofNullable(time);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RouteStart start && start.text.equals(text);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(text);
    }

    /** As {@link #parse} takes it. */
    @Override
    public String toString() {
        return text;
    }
}
