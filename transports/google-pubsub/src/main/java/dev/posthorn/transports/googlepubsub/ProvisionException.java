package dev.posthorn.transports.googlepubsub;

import dev.posthorn.event.PosthornException;

/** Something is missing at Pub/Sub, or not as it must be. */
final class ProvisionException extends PosthornException {

    private static final long serialVersionUID = 1L;

    ProvisionException(String message) {
        super(message);
    }
}
