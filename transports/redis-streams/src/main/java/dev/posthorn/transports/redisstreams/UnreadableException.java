package dev.posthorn.transports.redisstreams;

import dev.posthorn.event.PosthornException;

/** Redis answered that streams can not be read. */
final class UnreadableException extends PosthornException {

    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
        super(message);
    }
}
