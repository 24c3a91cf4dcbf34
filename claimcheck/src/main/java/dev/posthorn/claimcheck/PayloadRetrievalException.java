package dev.posthorn.claimcheck;

import dev.posthorn.event.PosthornException;

/** The payload of an event is not in the store, is not what was put there, or is not to be fetched. Trying again is in vain. */
public final class PayloadRetrievalException extends PosthornException {

    private static final long serialVersionUID = 1L;

    PayloadRetrievalException(String message) {
        super(message);
    }
}
