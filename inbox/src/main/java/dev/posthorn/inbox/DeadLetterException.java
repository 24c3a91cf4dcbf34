package dev.posthorn.inbox;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.PosthornException;

/** Thrown by a handler that knows why an event will never be handled: it becomes a dead letter at once, with this cause. */
public final class DeadLetterException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final transient Cause cause;

    public DeadLetterException(Cause cause) {
        super(cause.reason());
        this.cause = cause;
    }

    /** Why, in details. */
    public Cause why() {
        return cause;
    }
}
