package dev.posthorn.outbox;

import dev.posthorn.event.PosthornException;

/** There is no transaction, so an event could be emitted without what it tells of. */
public final class NoTransactionException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public NoTransactionException() {
        super(
                "Nothing was emitted: the connection has autocommit on, so the event would not be part of any transaction."
                        + " Call setAutoCommit(false), or emit inside a transaction of your framework.");
    }

    /** With what is to be done about it where transactions come from elsewhere than the connection. */
    public NoTransactionException(String message) {
        super(message);
    }
}
