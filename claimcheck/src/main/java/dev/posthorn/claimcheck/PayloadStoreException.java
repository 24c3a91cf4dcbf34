package dev.posthorn.claimcheck;

import dev.posthorn.event.PosthornException;
import org.jspecify.annotations.Nullable;

/** The store of payloads could not be reached, or refused. It may work later. */
public final class PayloadStoreException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public PayloadStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
