package dev.posthorn.outbox;

import dev.posthorn.event.PosthornException;

/** A change is not one statement. Found before anything is sent, so the transaction is as it was. */
public final class InvalidChangeException extends PosthornException {

    private static final long serialVersionUID = 1L;

    InvalidChangeException(String sql, String fault) {
        super("Nothing was changed: \"" + sql + "\" can not be sent with the commit: " + fault + ".");
    }
}
