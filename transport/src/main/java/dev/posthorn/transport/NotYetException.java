package dev.posthorn.transport;

import dev.posthorn.event.PosthornException;
import java.time.Duration;

/**
 * It is not this event's turn: another one may be doing the same, or an earlier event of its key is missing. A consumer brings it
 * again after a while, and charges nothing.
 */
public class NotYetException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final Duration left;

    public NotYetException(String message, Duration left) {
        super(message);
        this.left = left;
    }

    /** How long to wait. */
    public Duration left() {
        return left;
    }
}
