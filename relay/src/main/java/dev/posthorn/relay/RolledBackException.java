package dev.posthorn.relay;

import dev.posthorn.event.PosthornException;

/** The database refused to commit what handlers did, such as at a constraint that is checked then. Nothing was committed. */
public final class RolledBackException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public RolledBackException(String message, Throwable cause) {
        super(message, cause);
    }
}
