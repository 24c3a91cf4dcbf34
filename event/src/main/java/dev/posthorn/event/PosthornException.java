package dev.posthorn.event;

import org.jspecify.annotations.Nullable;

/** The base of everything Posthorn throws; the message says what happened, to what, and what to do. */
public class PosthornException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PosthornException(String message) {
        super(message);
    }

    public PosthornException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
