package dev.posthorn.commands;

import dev.posthorn.event.PosthornException;

/** What is known of commands can not be reached. Not the command's fault: try again. */
public final class CommandStoreException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public CommandStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
