package dev.posthorn.inbox;

import dev.posthorn.event.PosthornException;

/** The inbox is out of reach, or somebody else has the event in work for too long. Not the event's fault: try again. */
public final class InboxException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public InboxException(String message) {
        super(message);
    }

    public InboxException(String message, Throwable cause) {
        super(message, cause);
    }
}
