package dev.posthorn.demo;

import dev.posthorn.event.PosthornException;

/** The demo cannot run like this; the message says why and what to do. */
final class CannotRunException extends PosthornException {

    private static final long serialVersionUID = 1;

    CannotRunException(String message) {
        super(message);
    }

    CannotRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
