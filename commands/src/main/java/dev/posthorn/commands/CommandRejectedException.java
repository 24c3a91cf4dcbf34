package dev.posthorn.commands;

import dev.posthorn.event.PosthornException;

/** A handler will never run this command. A consumer makes it a dead letter at once. */
public final class CommandRejectedException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public CommandRejectedException(String reason) {
        super(reason);
    }
}
