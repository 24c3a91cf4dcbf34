package dev.posthorn.transport;

import dev.posthorn.event.PosthornException;

/** A message is no event; the text says what is wrong with it. */
public final class UndecodableException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public UndecodableException(String message) {
        super(message);
    }
}
