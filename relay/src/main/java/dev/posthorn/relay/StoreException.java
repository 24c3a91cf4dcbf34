package dev.posthorn.relay;

import dev.posthorn.event.PosthornException;
import org.jspecify.annotations.Nullable;

/** The database did not do what it was asked, or it is not known whether it did. What was in memory must be reloaded. */
public final class StoreException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
