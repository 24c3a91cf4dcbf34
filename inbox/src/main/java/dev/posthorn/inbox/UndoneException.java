package dev.posthorn.inbox;

import dev.posthorn.event.PosthornException;

/** What a handler did can not be kept, such as what breaks a constraint that is checked at the end. */
public final class UndoneException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public UndoneException(String message, Throwable cause) {
        super(message, cause);
    }
}
