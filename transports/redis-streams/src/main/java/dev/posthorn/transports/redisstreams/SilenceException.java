package dev.posthorn.transports.redisstreams;

import dev.posthorn.event.PosthornException;

/** An answer was waited for in vain: the connection is of no use any more. */
final class SilenceException extends PosthornException {

    private static final long serialVersionUID = 1L;

    SilenceException(String message) {
        super(message);
    }
}
