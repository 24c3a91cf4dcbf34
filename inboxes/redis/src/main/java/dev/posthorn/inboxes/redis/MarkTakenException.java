package dev.posthorn.inboxes.redis;

/** Somebody else has an event in work whose effects are kept here. */
final class MarkTakenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MarkTakenException(String message) {
        super(message);
    }
}
